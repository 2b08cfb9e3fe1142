import { access, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the path of an archive with an initialised, empty database. Unpacking it takes a quarter of the time and
 * memory of initialising a database. The build of svc creates the archive.
 * @returns `null`: there is no archive, as in a fresh checkout
 */
export async function findTemplate(): Promise<string | null> {
  const name = templateName(await readEngineVersion())
  // In a build it is beside this file. A checkout uses the file of its own build, if there is one.
  for (const folder of ['.', '../../../dist/plugins/pglite/engine']) {
    const path = fileURLToPath(new URL(`${folder}/${name}`, import.meta.url))
    if (await isThere(path)) return path
  }
  return null
}

/** Returns the name of the archive with an empty database for a version of PGlite. */
export function templateName(version: string): string {
  return `empty-database-${version}.tar.gz`
}

/** Returns the version of the installed package PGlite. */
export async function readEngineVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(findEngine(), '..', 'package.json'), 'utf8'))
  return version
}

/**
 * Returns the path of the folder with the files of the npm package `@electric-sql/pglite`.
 * @throws Error MODULE_NOT_FOUND: the package is not installed
 */
export function findEngine(): string {
  return dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

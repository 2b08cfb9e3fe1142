import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { PACKAGE_NAME, readOwnPackage } from '../own-package.ts'

/**
 * What a new project's package.json says for `svc`, so that `npm install` there gives the svc that wrote it: a
 * checkout by its path, an installation by what it was installed from.
 * @param folder absolute folder of the project
 */
export function svcDependency(folder: string, own = readOwnPackage()): string {
  const modules = dirname(own.folder)
  if (basename(modules) !== 'node_modules') return fileFrom(folder, own.folder)
  const origin = readOrigin(join(modules, '.package-lock.json'), basename(own.folder))
  if (origin?.startsWith('file:')) return fileFrom(folder, resolve(dirname(modules), origin.slice('file:'.length)))
  if (origin?.startsWith('git')) return origin
  return `npm:${PACKAGE_NAME}@^${own.manifest.version}`
}

function fileFrom(folder: string, target: string): string {
  return `file:${relative(folder, target).split(sep).join('/')}`
}

/** Where npm took the package from: `file:…`, `git+ssh://…#hash`, or the address of a registry. */
function readOrigin(lock: string, name: string): string | undefined {
  if (!existsSync(lock)) return undefined
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as {
    packages?: Record<string, { readonly resolved?: string }>
  }
  return packages[`node_modules/${name}`]?.resolved
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { InitScript } from '../database/init-scripts.ts'
import type { Project } from '../project/load-project.ts'

/** A script that `svc db apply` runs. */
export interface AppliedScript extends InitScript {
  readonly checksum: string
  /** A file with functions, which runs again when it has changed. */
  readonly repeatable: boolean
}

/**
 * Reads the scripts of a project in the order in which they run: those of `database.init_dir`, then its folder `functions`.
 * @param dialect SQLite has no functions: the scripts in that folder are called and not applied
 * @throws SvcError SVC_CONFIG_INVALID when the folder does not exist
 */
export async function readScripts({ baseDir, config }: Project, dialect: string): Promise<readonly AppliedScript[]> {
  const folder = config.database.init_dir
  const scripts = await readFolder(baseDir, folder, false)
  if (scripts === null) {
    const message = `There is no folder ${folder} in ${baseDir}. Create it, or set database.init_dir.`
    throw new SvcError('SVC_CONFIG_INVALID', message)
  }
  const functions = dialect === 'sqlite' ? null : await readFolder(baseDir, `${folder}/functions`, true)
  return [...scripts, ...(functions ?? [])]
}

/** @returns `null` when the folder does not exist */
async function readFolder(
  baseDir: string,
  folder: string,
  repeatable: boolean,
): Promise<readonly AppliedScript[] | null> {
  const names = await readdir(join(baseDir, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (names === null) return null
  const files = names.filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(baseDir, folder, file), 'utf8')
      // The same on every system, and for an editor that changes line ends.
      const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
      return { name: `${folder.replaceAll('\\', '/')}/${file}`, sql, checksum, repeatable }
    }),
  )
}

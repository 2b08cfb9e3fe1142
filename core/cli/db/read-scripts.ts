import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { InitScript } from '../database/init-scripts.ts'
import type { Project } from '../project/load-project.ts'

/** An SQL script that `svc db apply` runs, with the checksum that is recorded for it. */
export interface AppliedScript extends InitScript {
  readonly checksum: string
  /**
   * `true`: a script with functions, which runs again when its text has changed. Other scripts must not change after
   * they ran.
   */
  readonly repeatable: boolean
}

/**
 * Reads the SQL scripts of a project in the order in which `svc db apply` runs them: those in `database.init_dir`, then
 * those in its subfolder `functions`.
 * @param dialect name of the SQL dialect; for `sqlite` the subfolder is skipped, because SQLite has no functions
 * @throws SvcError SVC_CONFIG_INVALID when `database.init_dir` does not exist
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

import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { escapePercents } from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'

/**
 * Absolute path of the embedded database's folder; `null`: the database is in memory and lost when the process ends.
 */
export type DataFolder = string | null

/**
 * Reads the folder of the embedded database from its URL: `pglite:memory`, `pglite:.svc/data` or `pglite:/abs/path`.
 * `//` may follow the colon.
 * @param baseDir absolute path, to which relative paths are resolved
 * @throws SvcError SVC_CONFIG_INVALID when the URL names no folder
 */
export function readDataFolder(url: string, baseDir: string): DataFolder {
  const path = decodeURIComponent(escapePercents(url).replace(/^pglite:(?:\/\/(?!\/)|\/\/(?=\/))?/i, ''))
  if (path === 'memory') return null
  if (path !== '') return resolve(baseDir, path)
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    `database.url "${url}" names no folder. Write pglite:.svc/data for a folder next to svc.toml, or pglite:memory.`,
  )
}

/** Tests whether the folder contains an embedded database. `false` for a database in memory. */
export async function dataFolderExists(folder: DataFolder): Promise<boolean> {
  if (folder === null) return false
  return access(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

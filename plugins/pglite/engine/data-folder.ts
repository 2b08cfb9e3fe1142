import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { escapePercents } from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'

/** Absolute path of the data folder; `null`: in memory, lost when the process ends. */
export type DataFolder = string | null

/**
 * Parses `pglite:memory`, `pglite:.svc/data`, `pglite:/abs/path` (also written with `//`).
 * @param baseDir absolute; relative paths start from it
 * @throws SvcError SVC_CONFIG_INVALID when no folder is named
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

/** Tests whether the folder contains a database. */
export async function dataFolderExists(folder: DataFolder): Promise<boolean> {
  if (folder === null) return false
  return access(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

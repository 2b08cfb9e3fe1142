import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapePercents } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'

/** Absolute path of the SQLite database; `null`: a temporary file, which is removed when the process ends. */
export type DatabaseFile = string | null

/**
 * Reads the file of a SQLite database from its URL: `sqlite:memory`, `sqlite:./shop.db` or `sqlite:/abs/shop.db`. `//`
 * may follow the colon.
 * @param baseDir absolute path, to which relative paths are resolved
 * @throws SvcError SVC_CONFIG_INVALID when the URL names no file
 */
export function readDatabaseFile(url: string, baseDir: string): DatabaseFile {
  const path = decodeURIComponent(escapePercents(url).replace(/^sqlite:(?:\/\/(?!\/)|\/\/(?=\/))?/i, ''))
  if (path === 'memory' || path === ':memory:') return null
  if (path !== '' && !path.endsWith('/')) return resolve(baseDir, path)
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    `database.url "${url}" names no file. Write sqlite:./shop.db for a file next to svc.toml, or sqlite:memory.`,
  )
}

/** Tests whether a file exists that can contain a SQLite database: one that is not empty. */
export async function databaseFileExists(file: DatabaseFile): Promise<boolean> {
  if (file === null) return false
  return stat(file).then(
    (found) => found.isFile() && found.size > 0,
    () => false,
  )
}

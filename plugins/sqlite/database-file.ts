import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapePercents } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'

/** Absolute path of the database; `null`: a temporary file, removed when the process ends. */
export type DatabaseFile = string | null

/**
 * Parses `sqlite:memory` (also `sqlite::memory:`), `sqlite:./shop.db`, `sqlite:/abs/shop.db` (also written with `//`).
 * @param baseDir absolute; relative paths start from it
 * @throws SvcError SVC_CONFIG_INVALID when no file is named
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

/** Tests whether the file contains a database. An empty file does not. */
export async function databaseFileExists(file: DatabaseFile): Promise<boolean> {
  if (file === null) return false
  return stat(file).then(
    (found) => found.isFile() && found.size > 0,
    () => false,
  )
}

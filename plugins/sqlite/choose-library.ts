import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SvcError } from '../../core/doors/plugin.ts'

export type LibraryName = 'node' | 'wasm'

/**
 * Node's own library where it has one that gives rows as lists (rows as objects lose columns of the same name), else the
 * WebAssembly build.
 * @param baseDir folder of svc.toml: the package may be installed there
 * @param places files that the package is resolved from
 * @returns the entry of the package; `null` = Node's own
 * @throws SvcError SVC_DATABASE_UNREACHABLE when there is neither
 */
export function chooseLibrary(
  baseDir: string,
  wanted: LibraryName = bestLibrary(),
  places: readonly string[] = [import.meta.url, join(baseDir, 'svc.toml')],
): string | null {
  if (wanted === 'node') return null
  for (const from of places) {
    try {
      return createRequire(from).resolve('node-sqlite3-wasm')
    } catch {
      // Looked for in the next place.
    }
  }
  throw new SvcError(
    'SVC_DATABASE_UNREACHABLE',
    `Node ${process.versions.node} has no SQLite that svc can use (22.16 and 24 have), and the package node-sqlite3-wasm is not ` +
      'installed. Install it with: npm install node-sqlite3-wasm@0.8',
  )
}

export function bestLibrary(version: string = process.versions.node): LibraryName {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 16) ? 'node' : 'wasm'
}

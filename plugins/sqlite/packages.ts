import type { OptionalPackages } from '../../core/doors/plugin.ts'

/** SQLite in WebAssembly, which svc does not install: newer Node has SQLite itself. */
export const WASM_PACKAGE: OptionalPackages = {
  names: ['node-sqlite3-wasm'],
  for: 'Node before 22.16 has no SQLite that svc can use',
  instead: 'run Node 22.16, 24 or newer',
}

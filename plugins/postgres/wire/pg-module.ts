import { createRequire } from 'node:module'

/** The connection to which statements are written. */
export type { Connection as Wire } from 'pg'

/** The package `pg`, loaded in a way that starts faster on Node 20. */
export const pgModule = loadPg()

/**
 * Loads `pg` with a `navigator`, as later versions of Node have one. Without it (Node 20), `pg` creates a `Response` to detect
 * Cloudflare, which loads Node's whole fetch implementation: some 7 % of the start-up time.
 */
function loadPg(): typeof import('pg') {
  const require = createRequire(import.meta.url)
  if ('navigator' in globalThis) return require('pg')
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Node.js' }, configurable: true })
  try {
    return require('pg')
  } finally {
    Reflect.deleteProperty(globalThis, 'navigator')
  }
}

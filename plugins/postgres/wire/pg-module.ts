import { createRequire } from 'node:module'

/** The connection to which statements are written. */
export type { Connection as Wire } from 'pg'

/** The `pg` package. */
export const pgModule = loadPg()

/**
 * Where there is no `navigator` (Node 20), `pg` makes a `Response` to see whether it runs on Cloudflare: that loads all of Node's
 * fetch, some 7 % of the time of a start. It finds a `navigator` while it is loaded, as in later versions of Node.
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

import type { SslOptions } from 'mysql2'
import { SvcError } from '../../../core/doors/plugin.ts'

/** What the other tools call it: here these would be passed over, and everything would go in clear. */
const OTHER_NAMES = /^(ssl|tls|use_?ssl|require_?ssl|sec)/i

/**
 * Where a URL of MariaDB leads to. `?ssl=true`, or the options of TLS as JSON: encrypted, and the certificate is of that host,
 * or there is no connection.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function connectionOf(url: string): { readonly uri: string; readonly ssl?: SslOptions } {
  const parsed = new URL(url)
  const given = parsed.searchParams.getAll('ssl')
  parsed.searchParams.delete('ssl')
  for (const name of parsed.searchParams.keys()) if (OTHER_NAMES.test(name)) throw invalid()
  const [text] = given
  if (text === undefined) return { uri: url }
  const ssl = given.length === 1 ? sslOf(text) : null
  if (ssl === null) throw invalid()
  return { uri: parsed.href, ssl: { verifyIdentity: true, ...ssl } }
}

function sslOf(text: string): SslOptions | null {
  if (text === 'true') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function invalid(): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', '[observers] TLS of mariadb_url is "?ssl=true", or its options as JSON.')
}

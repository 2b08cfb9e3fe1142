import type { Exchange } from '../../core/doors/plugin.ts'
import { OAuthFault } from './oauth-fault.ts'

/** Spec "JWT" 8. `__Host-`: browsers take it over https alone, for this host alone, and for all paths. */
export const ACCESS = '__Host-access_token'
export const REFRESH = '__Host-refresh_token'
/** Binds a login to the browser that began it. */
export const LOGIN = '__Host-oauth_login'

/** @returns `null`: there is none, or more than one, of which nobody can say which is ours */
export function readCookie({ headers: { cookie } }: Pick<Exchange, 'headers'>, name: string): string | null {
  if (typeof cookie !== 'string') return null
  const found = cookie.split(';').flatMap((pair) => {
    const text = pair.trim()
    return text.startsWith(`${name}=`) ? [text.slice(name.length + 1)] : []
  })
  return found.length === 1 && found[0] !== '' ? (found[0] as string) : null
}

/** Browsers drop a cookie that is longer, and say nothing (RFC 6265, 6.1). */
export const LONGEST_COOKIE = 4096

/**
 * @param site `Strict`: sent by pages of the same site alone. `Lax`: also when somebody comes back from the provider.
 * @throws OAuthFault login_failed: no browser would keep it
 */
export function setCookie(name: string, value: string, maxAgeSecs: number, site: 'Strict' | 'Lax' = 'Strict'): string {
  const cookie = `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=${site}; Max-Age=${Math.max(0, Math.floor(maxAgeSecs))}`
  if (Buffer.byteLength(cookie) > LONGEST_COOKIE) throw tooLong(name, Buffer.byteLength(cookie))
  return cookie
}

export function clearCookie(name: string): string {
  return setCookie(name, '', 0)
}

function tooLong(name: string, bytes: number): OAuthFault {
  const message =
    `The login failed: its token makes the cookie ${name} ${bytes} bytes long, and browsers keep ${LONGEST_COOKIE}. ` +
    'Name fewer claims in security.pkce.claims, or ask the provider for a shorter token.'
  return new OAuthFault('login_failed', message, new Error(message))
}

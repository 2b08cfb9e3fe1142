import type { Exchange } from '../../core/doors/plugin.ts'
import { OAuthFault } from './oauth-fault.ts'

/**
 * Name of the cookie with the access token (docs/plugins/oauth.md#the-cookie). Browsers accept the prefix `__Host-`
 * only over https, for one host and all paths.
 */
export const ACCESS = '__Host-access_token'
export const REFRESH = '__Host-refresh_token'
/** Name of the cookie that binds a login to the browser that started it. */
export const LOGIN = '__Host-oauth_login'

/**
 * Returns the value of a cookie of the request.
 * @returns `null` when the cookie is absent or empty, or is sent more than once, which makes its value ambiguous
 */
export function readCookie({ headers: { cookie } }: Pick<Exchange, 'headers'>, name: string): string | null {
  if (typeof cookie !== 'string') return null
  const found = cookie.split(';').flatMap((pair) => {
    const text = pair.trim()
    return text.startsWith(`${name}=`) ? [text.slice(name.length + 1)] : []
  })
  return found.length === 1 && found[0] !== '' ? (found[0] as string) : null
}

/** Maximum length of a cookie in bytes. Browsers drop longer ones without an error (RFC 6265, section 6.1). */
export const LONGEST_COOKIE = 4096

/**
 * Returns the value of a `Set-Cookie` header.
 * @param maxAgeSecs lifetime in seconds; 0 deletes the cookie
 * @param site `Strict`: browsers send the cookie only from pages of the same site. `Lax`: also when the user comes back
 * from the login provider
 * @throws OAuthFault `login_failed` when the cookie is too long for browsers
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

import type { Exchange } from '../../core/index.ts'

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

/**
 * @param site `Strict`: sent by pages of the same site alone. `Lax`: also when somebody comes back from the provider.
 */
export function setCookie(name: string, value: string, maxAgeSecs: number, site: 'Strict' | 'Lax' = 'Strict'): string {
  return `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=${site}; Max-Age=${Math.max(0, Math.floor(maxAgeSecs))}`
}

export function clearCookie(name: string): string {
  return setCookie(name, '', 0)
}

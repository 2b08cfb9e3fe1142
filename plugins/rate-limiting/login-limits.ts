import type { Auth } from '../../core/doors/plugin.ts'
import { siteOf } from './client-keys.ts'
import type { Lock } from './limits.ts'
import type { RateLimitingOptions } from './options.ts'

/** Plugins that verify signatures, which cannot be guessed. */
const SIGNED: ReadonlySet<string> = new Set(['jwt', 'token-revocation'])

export interface LoginWindow {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

/** Login paths by their last segment. `/auth/login` is an alias of `/auth/start`. */
const NAMES = { start: 'start', login: 'start', callback: 'callback', refresh: 'refresh', logout: 'logout' } as const

/** Paths for signed-in callers, which work also for locked addresses and during an outage of the store, so that tokens can be revoked. */
const FOR_CALLERS: ReadonlySet<string> = new Set(['/auth/me', '/auth/revoke', '/auth/revoke-all'])

export interface AuthPlace {
  readonly windows: readonly LoginWindow[]
  /**
   * `true` for paths of the login itself, which are blocked during a lockout. `false` for paths of signed-in callers.
   */
  readonly isLogin: boolean
}

/**
 * Creates the function that returns the additional limits of a path below `/auth/`.
 * @returns a function of the route's path, or of the request's path if no route matches; its result is `null` for other
 * paths
 */
export function createLoginWindows(options: RateLimitingOptions): (path: string) => AuthPlace | null {
  const window = (name: string, max: number, secs: number): LoginWindow => ({ name, max, windowMs: secs * 1000 })
  const { auth_endpoint_max_requests: most, auth_endpoint_window_secs: secs } = options
  const rest: readonly LoginWindow[] = most === undefined ? [] : [window('auth', most, secs)]
  const other: AuthPlace = { windows: rest, isLogin: true }
  const forCallers: AuthPlace | null = rest.length === 0 ? null : { windows: rest, isLogin: false }
  const places = new Map<string, AuthPlace>()
  for (const [last, name] of Object.entries(NAMES)) {
    const own = window(name, options[`auth_${name}_max_requests`], options[`auth_${name}_window_secs`])
    places.set(`/auth/${last}`, { windows: [own, ...rest], isLogin: true })
  }
  return (path) => {
    if (!path.startsWith('/auth/')) return null
    return FOR_CALLERS.has(path) ? forCallers : (places.get(path) ?? other)
  }
}

/**
 * Allowed failures of an IPv6 site, as a multiple of those of one network. With some providers a site is many subscribers; with others it
 * is one attacker with 65,536 networks.
 */
const SITE_ATTEMPTS = 8

interface ClientLocks {
  /** Returns the locks that a rejected credential counts for. @param plugin plugin that rejected it */
  ofRefused(client: string, plugin: string): readonly Lock[]
  /** Returns the locks that reject a caller with a valid credential. */
  ofAuth(client: string, auth: Auth): readonly Lock[]
  /** Returns the locks that reject a login. */
  ofLogin(client: string): readonly Lock[]
}

const NONE: readonly Lock[] = []

/**
 * Creates the rules for which failed credentials lock out which later ones (docs/plugins/rate-limiting.md). Failures
 * with guessable credentials, such as API keys, lock out all guessable credentials of the client, even valid ones.
 * Forged JWTs do not lock out verified ones.
 * @param maxAttempts number of failures (`failed_login_max_attempts`)
 */
export function createClientLocks(maxAttempts: number): ClientLocks {
  const locksOf = (client: string, kind: string): readonly Lock[] => {
    const own = { name: `${kind}:${client}`, max: maxAttempts }
    const site = siteOf(client)
    return site === null ? [own] : [own, { name: `${kind}:${site}`, max: maxAttempts * SITE_ATTEMPTS }]
  }
  return {
    ofRefused: (client, plugin) => locksOf(client, SIGNED.has(plugin) ? 'signed' : 'guessed'),
    ofAuth: (client, { method }) => (SIGNED.has(method) ? NONE : locksOf(client, 'guessed')),
    ofLogin: (client) => locksOf(client, 'guessed'),
  }
}

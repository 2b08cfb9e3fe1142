import type { RateLimitingOptions } from './options.ts'

export interface LoginWindow {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

/** Where people log in, by the last part of the path: `/auth/login` is another name of `/auth/start`. */
const NAMES = { start: 'start', login: 'start', callback: 'callback', refresh: 'refresh', logout: 'logout' } as const

/** Paths for signed-in callers: neither a lock of the address nor an outage of the store keeps a token from being revoked. */
const FOR_CALLERS: ReadonlySet<string> = new Set(['/auth/me', '/auth/revoke', '/auth/revoke-all'])

export interface AuthPlace {
  readonly windows: readonly LoginWindow[]
  /** Do people log in there? */
  readonly isLogin: boolean
}

/**
 * The limits of a path beside its bucket; `null` = none.
 * @param path of the route, or of a request that no route takes
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

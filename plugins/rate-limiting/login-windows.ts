import type { RateLimitingOptions } from './options.ts'

export interface LoginWindow {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

/** Where people log in, by the last part of the path: `/auth/login` is another name of `/auth/start`. */
const NAMES = { start: 'start', login: 'start', callback: 'callback', refresh: 'refresh', logout: 'logout' } as const

/**
 * The windows that a path counts for; `null` = it is no place for logging in.
 * @param path of the route, or of a request that no route takes
 */
export function createLoginWindows(options: RateLimitingOptions): (path: string) => readonly LoginWindow[] | null {
  const window = (name: string, max: number, secs: number): LoginWindow => ({ name, max, windowMs: secs * 1000 })
  const { auth_endpoint_max_requests: most, auth_endpoint_window_secs: secs } = options
  const rest: readonly LoginWindow[] = most === undefined ? [] : [window('auth', most, secs)]
  const lists = new Map<string, readonly LoginWindow[]>()
  for (const [last, name] of Object.entries(NAMES)) {
    const own = window(name, options[`auth_${name}_max_requests`], options[`auth_${name}_window_secs`])
    lists.set(`/auth/${last}`, [own, ...rest])
  }
  return (path) => (path.startsWith('/auth/') ? (lists.get(path) ?? rest) : null)
}

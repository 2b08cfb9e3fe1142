import type { Exchange } from '../../../core/index.ts'

/** Where clients put a bearer token in `connection_init` (behaviours 8.2). */
const TOKEN_KEYS = ['authToken', 'Authorization', 'authorization']

/** Of the handshake what may say who asks; a page of another site cannot lend somebody's cookies. */
export function handshakeHeaders(
  headers: Exchange['headers'],
  trusted: ReadonlySet<string>,
): Record<string, string | readonly string[] | undefined> {
  const { origin, host } = headers
  if (headers.cookie === undefined || origin === undefined) return { ...headers }
  if (typeof origin === 'string' && (trusted.has(origin) || isSameHost(origin, host))) return { ...headers }
  const { cookie: _, ...rest } = headers
  return rest
}

/**
 * The headers that stand for a connection: those of its handshake, over which a credential of `connection_init` goes.
 * @param keyHeader lower case; `null`: there are no API keys
 */
export function withCredentials(
  headers: Exchange['headers'],
  payload: unknown,
  keyHeader: string | null,
): Exchange['headers'] {
  if (typeof payload !== 'object' || payload === null) return headers
  const given = payload as Record<string, unknown>
  const nested = typeof given.headers === 'object' && given.headers !== null ? given.headers : {}
  const token = textOf(given, TOKEN_KEYS) ?? textOf(nested as Record<string, unknown>, TOKEN_KEYS)
  const key = keyHeader === null ? null : (findHeader(given, keyHeader) ?? findHeader(nested, keyHeader))
  if (token === null && key === null) return headers
  // Who says who it is is not who the browser says.
  const { cookie: _, authorization: __, ...rest } = headers
  return {
    ...rest,
    ...(token === null ? {} : { authorization: /^\S+\s/.test(token) ? token : `Bearer ${token}` }),
    ...(key === null || keyHeader === null ? {} : { [keyHeader]: key }),
  }
}

function textOf(values: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

function findHeader(values: object, name: string): string | null {
  for (const [key, value] of Object.entries(values)) {
    if (key.toLowerCase() === name && typeof value === 'string' && value !== '') return value
  }
  return null
}

/** A browser says truly where it is and whom it asks. */
function isSameHost(origin: string, host: unknown): boolean {
  const start = origin.indexOf('://')
  return typeof host === 'string' && start !== -1 && origin.slice(start + 3).toLowerCase() === host.toLowerCase()
}

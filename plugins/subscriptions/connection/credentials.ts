import {
  type Auth,
  type Exchange,
  type PublicError,
  pageSource,
  type Reply,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type { ConnectionParts } from './connection-parts.ts'

const NOTHING: Reply = { status: 204, headers: {}, body: null }
/** Keys of the payload of `connection_init` that may hold a bearer token (docs/plugins/subscriptions.md#credentials). */
const TOKEN_KEYS = ['authToken', 'Authorization', 'authorization']

/**
 * Returns the headers of a WebSocket handshake. Cookies are removed when a web page of another site opened the
 * connection.
 * @param trusted origins of web pages that count as own
 */
export function handshakeHeaders(
  headers: Exchange['headers'],
  trusted: ReadonlySet<string>,
): Record<string, string | readonly string[] | undefined> {
  if (headers.cookie === undefined || pageSource({ headers }, { trusted }) !== 'foreign') return { ...headers }
  const { cookie: _, ...rest } = headers
  return rest
}

/**
 * Returns the headers that authenticate a WebSocket connection: those of its handshake, overridden by credentials in
 * the payload of `connection_init`.
 * @param names headers that may contain credentials, in lower case
 */
export function withCredentials(
  headers: Exchange['headers'],
  payload: unknown,
  names: readonly string[],
): Exchange['headers'] {
  if (typeof payload !== 'object' || payload === null) return headers
  const given = payload as Record<string, unknown>
  const nested = typeof given.headers === 'object' && given.headers !== null ? given.headers : {}
  const token = textOf(given, TOKEN_KEYS) ?? textOf(nested as Record<string, unknown>, TOKEN_KEYS)
  const others = names.flatMap((name) => {
    const value = name === 'authorization' ? null : (findHeader(given, name) ?? findHeader(nested, name))
    return value === null ? [] : [[name, value]]
  })
  if (token === null && others.length === 0) return headers
  // A credential in the payload replaces those that the browser sent with the handshake.
  const { cookie: _, authorization: __, ...rest } = headers
  return {
    ...rest,
    ...(token === null ? {} : { authorization: /^\S+\s/.test(token) ? token : `Bearer ${token}` }),
    ...Object.fromEntries(others),
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

/** The outcome of `connection_init`. */
interface Admission {
  /** `null`: the connection is accepted. */
  readonly failure: PublicError | null
  readonly auth: Auth | null
  /** Context values that hooks have set. They hold for all operations of the connection. */
  readonly context: Exchange['context']
  /** Called when an accepted connection ends. */
  readonly ended: (() => void) | null
}

/**
 * Authenticates a WebSocket connection, and calls the webhook `on_connect`.
 * @param id id of the connection
 * @param payload payload of `connection_init`
 * @returns the caller, or the error with which to reject the connection
 */
export async function admit(
  id: string,
  payload: unknown,
  { headers, address }: Pick<Exchange, 'headers' | 'address'>,
  parts: ConnectionParts,
): Promise<Admission> {
  const found: { -readonly [Key in keyof Admission]: Admission[Key] } = {
    failure: null,
    auth: null,
    context: {},
    ended: null,
  }
  const renderError = (ctx: Exchange, error: unknown): Reply => {
    found.failure = parts.toPublicError(error, ctx)
    return NOTHING
  }
  const reply = await parts.enter({ transport: 'websocket', headers, address, renderError }, async (ctx) => {
    if (ctx.auth === null && parts.isClosed(ctx)) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
    found.ended = await parts.subscriptions.connected(id, payload)
    found.auth = ctx.auth
    found.context = ctx.context
    return NOTHING
  })
  // An onRequest hook may have replied instead of the handler.
  if (found.failure === null && found.ended === null) {
    const code = reply.status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN'
    found.failure = parts.toPublicError(new SvcError(code, 'Refused.'), null)
  }
  return found
}

import { declareFunction } from './author-function.ts'
import { placeAbove } from './place.ts'
import { reportFault } from './registry.ts'

/** The caller of a request, as a plugin verified it from the request's credential. */
export interface RequestAuth {
  /** The token's claim `sub`, or `apikey:<name>` for an API key. `null`: the token has no such claim. */
  readonly subject: string | null
  readonly claims: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
  readonly roles: readonly string[]
  /** Name of the plugin that verified the credential, such as `jwt`. */
  readonly method: string
}

/** A request of any transport, as svc passes it to the middleware of the schema author. */
export interface MiddlewareRequest {
  readonly id: string
  readonly transport: 'http' | 'websocket' | 'stdio' | 'grpc' | 'internal'
  /** HTTP method; `null` for a request over another transport. */
  readonly method: string | null
  /** Path and query string of an HTTP request, otherwise `null`. */
  readonly url: string | null
  /**
   * Request headers by lower-case name. If middleware changes them, later steps, such as the check of the credential,
   * use the changed headers.
   */
  readonly headers: Record<string, string | readonly string[] | undefined>
  /** IP address of the remote end of the connection. */
  readonly address: string
  /**
   * The caller, as the headers identify it at this moment; if middleware changes the headers, svc verifies them again.
   * `null`: the request has no credential, or one that svc will reject.
   */
  readonly auth: RequestAuth | null
  /**
   * Values of the request by name, which middleware sets. They fill the placeholders of `rowFilter`, and later
   * middleware and mutation hooks can read them.
   */
  readonly context: Record<string, unknown>
}

/** The response that middleware returns: that of `next`, or one of its own. */
export interface MiddlewareReply {
  readonly status: number
  /** Response headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Text, bytes, the body that `next` returned, or another value, which svc sends as JSON. `null`: no body. */
  readonly body?: unknown
}

/**
 * Runs the later middleware and svc's own handling of the request, and returns the response. A middleware may call it
 * once.
 * @param request replaces the request; absent: the request is unchanged
 */
export type MiddlewareNext = (request?: MiddlewareRequest) => Promise<Required<MiddlewareReply>>
export type Middleware = (
  request: MiddlewareRequest,
  next: MiddlewareNext,
) => MiddlewareReply | Promise<MiddlewareReply>

/**
 * Declares request middleware: `export const tenant = middleware(async (request, next) => …)`. Middleware runs around
 * every request, in the order of declaration, before svc rejects an invalid credential (docs/plugins/middleware.md).
 * @returns `fn`, unchanged. Its module must export it, because the server imports it from there when it loads the
 * schema
 */
export function middleware<F extends Middleware>(fn: F): F {
  const place = placeAbove(middleware)
  if (typeof fn === 'function') declareFunction('middleware', null, fn, place)
  else reportFault(place, `middleware wants a function (request, next), got ${fn === null ? 'null' : typeof fn}`)
  return fn
}

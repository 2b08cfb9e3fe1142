import { declareFunction } from './author-function.ts'
import { placeAbove } from './place.ts'
import { reportFault } from './registry.ts'

/** The caller, according to the credential of the request. */
export interface RequestAuth {
  /** `sub` claim of a token, or `apikey:<name>` of an API key. */
  readonly subject: string | null
  readonly claims: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
  readonly roles: readonly string[]
  /** Name of the plugin that verified the credential. */
  readonly method: string
}

/** A request as middleware sees it, of any transport. */
export interface MiddlewareRequest {
  readonly id: string
  readonly transport: 'http' | 'websocket' | 'stdio' | 'grpc' | 'internal'
  /** HTTP method; `null` for a request over another transport. */
  readonly method: string | null
  /** Path and query string of an HTTP request, otherwise `null`. */
  readonly url: string | null
  /**
   * Request headers by lower-case name. Later code, such as the check of the credential, sees changes that middleware
   * makes.
   */
  readonly headers: Record<string, string | readonly string[] | undefined>
  /** Address of the remote end of the connection. */
  readonly address: string
  /**
   * The caller, verified with the headers at the time of this middleware. `null`: the request has no credential, or one that will be
   * rejected.
   */
  readonly auth: RequestAuth | null
  /** Values for the placeholders of `rowFilter`, and for later middleware and hooks. */
  readonly context: Record<string, unknown>
}

/** The reply to the request. */
export interface MiddlewareReply {
  readonly status: number
  /** Response headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Text, bytes, the body of the reply of `next`, or another value, which is sent as JSON. `null`: no body. */
  readonly body?: unknown
}

/** Continues with the request. It may be called once. */
export type MiddlewareNext = (request?: MiddlewareRequest) => Promise<Required<MiddlewareReply>>
export type Middleware = (
  request: MiddlewareRequest,
  next: MiddlewareNext,
) => MiddlewareReply | Promise<MiddlewareReply>

/**
 * Declares request middleware: `export const tenant = middleware(async (request, next) => …)`. Middleware runs around every
 * request, in the order of declaration, before svc rejects an invalid credential (docs/plugins/middleware.md).
 * @returns the same function. Its module must export it: the server imports it from there when it loads the schema
 */
export function middleware<F extends Middleware>(fn: F): F {
  const place = placeAbove(middleware)
  if (typeof fn === 'function') declareFunction('middleware', null, fn, place)
  else reportFault(place, `middleware wants a function (request, next), got ${fn === null ? 'null' : typeof fn}`)
  return fn
}

import type { Exchange, Transport } from './exchange.ts'

/** An exchange over a transport other than HTTP. */
export interface OtherExchange extends Exchange {
  readonly transport: Exclude<Transport, 'http'>
}

/** An exchange over any transport. Test `transport === 'http'` for the members of HTTP. */
export type AnyExchange = HttpExchange | OtherExchange

/** Route of a request. */
export interface MatchedRoute {
  readonly method: string
  /** Path as the plugin mounted it, with named parameters: `/users/:id`. */
  readonly path: string
  /** `true`: `authenticate` does not run for the route. */
  readonly anonymous?: boolean
  /** The request asks for an upgrade (WebSocket). Its headers may carry the credential of the connection, even when `anonymous` is set. */
  readonly upgrade?: boolean
  /** Stage at which requests from pages of other sites are rejected; see `Route.crossSite`. */
  readonly crossSite?: 'own' | 'operation'
}

/** An exchange over HTTP. */
export interface HttpExchange extends Exchange {
  readonly transport: 'http'
  readonly method: string
  /** Path and query string as the client sent them; of an absolute target (`GET http://host/path`), without scheme and host. */
  readonly url: string
  /**
   * Path without the query string, normalised: unreserved characters are not percent-encoded, all others are unchanged. Use `route` to
   * decide what a request is for.
   */
  readonly pathname: string
  /** Matched route, also available in hooks of `onRequest`; `null`: no route has this method and path. */
  readonly route: MatchedRoute | null
  /** Query string without `?`; empty when there is none. */
  readonly queryString: string
  /** Decoded route parameters. */
  params: Readonly<Record<string, string | undefined>>
  /**
   * Prevents shared caches from storing the reply. Call it when the reply depends on facts that no registered credential covers, for
   * example in middleware.
   */
  keepPrivate(): void
  /**
   * Reads the body, up to `server.max_body_bytes`.
   * @throws SvcError, as a rejection: PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE for an encoded body; REQUEST_TIMEOUT; REQUEST_ERROR when
   *   the connection closes early
   */
  readBody(): Promise<Buffer>
}

import type { Exchange, Transport } from './exchange.ts'

/** A request over a transport other than HTTP, for example a WebSocket message. */
export interface OtherExchange extends Exchange {
  readonly transport: Exclude<Transport, 'http'>
}

/** A request over any transport. Test `transport === 'http'` before you use members that only HTTP has. */
export type AnyExchange = HttpExchange | OtherExchange

/** The route that serves a request, with the options that its plugin set. */
export interface MatchedRoute {
  readonly method: string
  /** Path of the route, with named parameters: `/users/:id`. */
  readonly path: string
  /** `true`: the hooks of `authenticate` do not run for the route. */
  readonly anonymous?: boolean
  /**
   * `true`: the request asks to change the protocol (WebSocket). Its headers may then carry the credential of the
   * connection, even when `anonymous` is set.
   */
  readonly upgrade?: boolean
  /** When requests from pages of other sites are rejected (CSRF): the option `crossSite` of the route. */
  readonly crossSite?: 'own' | 'operation'
}

/** A request over HTTP. */
export interface HttpExchange extends Exchange {
  readonly transport: 'http'
  readonly method: string
  /** Path and query string as the client sent them; of an absolute target (`GET http://host/path`), without scheme and host. */
  readonly url: string
  /**
   * Path without the query string, normalised: percent-encoded unreserved characters (letters, digits, `-._~`) are
   * decoded, all others are unchanged. To decide what a request is for, use `route`.
   */
  readonly pathname: string
  /**
   * The route that matches method and path of the request, also in the hooks of `onRequest`. `null`: no route matches.
   */
  readonly route: MatchedRoute | null
  /** Query string without `?`; empty when there is none. */
  readonly queryString: string
  /** Values of the named parameters in the route's path, percent-decoded: `{ id: '7' }` for `/users/:id`. */
  params: Readonly<Record<string, string | undefined>>
  /**
   * Prevents shared caches (CDN, proxy) from storing the reply. Call it when the reply depends on request data that
   * `Vary` does not name, for example in middleware.
   */
  keepPrivate(): void
  /**
   * Reads the whole request body, up to `server.max_body_bytes`.
   * @throws SvcError, as a rejection: PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE for a body with a content encoding;
   *   REQUEST_TIMEOUT; REQUEST_ERROR when the connection closes early
   */
  readBody(): Promise<Buffer>
}

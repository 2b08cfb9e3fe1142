import type { Exchange, Transport } from './exchange.ts'

/** An exchange that came any other way. */
export interface OtherExchange extends Exchange {
  readonly transport: Exclude<Transport, 'http'>
}

/** What hooks around every exchange get; `transport === 'http'` says which it is. */
export type AnyExchange = HttpExchange | OtherExchange

/** The route that a request is for. */
export interface MatchedRoute {
  readonly method: string
  /** As it was mounted, parameters by name: `/users/:id`. */
  readonly path: string
  /** The route asks for no credential of callers. */
  readonly anonymous?: boolean
  /** The request asks for another protocol (WebSocket). Its headers may hold the credential of the connection, even where `anonymous` is set. */
  readonly upgrade?: boolean
  /** Who refuses requests that pages of other sites send. Default: the plugin `csrf-prevention`, before anything runs. */
  readonly crossSite?: 'own' | 'operation'
}

/** An exchange that came over HTTP: adds what only HTTP has. */
export interface HttpExchange extends Exchange {
  readonly transport: 'http'
  readonly method: string
  /** Path and query string as the client sent them, also of an absolute target (`GET http://host/path`). */
  readonly url: string
  /**
   * Without the query string, in one form: characters that need no percent-encoding have none, all others are as they were
   * sent. What a path is for says `route`.
   */
  readonly pathname: string
  /** The route that was matched, hooks of `onRequest` included; `null`: there is none for this method and path. */
  readonly route: MatchedRoute | null
  /** After `?`, or the empty string. */
  readonly queryString: string
  /** Route parameters, decoded. */
  params: Readonly<Record<string, string | undefined>>
  /**
   * The answer depends on something that no credential of the list names, as what middleware looks at: no cache may give it to
   * another caller.
   */
  keepPrivate(): void
  /**
   * Reads the body, late and bounded by `server.max_body_bytes`. Calls back synchronously when the bytes are there.
   * @throws SvcError PAYLOAD_TOO_LARGE (through the promise)
   */
  readBody(): Promise<Buffer>
}

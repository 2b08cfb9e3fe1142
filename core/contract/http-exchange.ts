import type { Exchange, Transport } from './exchange.ts'

/** An exchange that came any other way. */
export interface OtherExchange extends Exchange {
  readonly transport: Exclude<Transport, 'http'>
}

/** What hooks around every exchange get; `transport === 'http'` says which it is. */
export type AnyExchange = HttpExchange | OtherExchange

/** An exchange that came over HTTP: adds what only HTTP has. */
export interface HttpExchange extends Exchange {
  readonly transport: 'http'
  readonly method: string
  /** Path and query string as the client sent them. */
  readonly url: string
  /** Without the query string, not decoded. */
  readonly pathname: string
  /** After `?`, or the empty string. */
  readonly queryString: string
  /** Route parameters, decoded. */
  params: Readonly<Record<string, string | undefined>>
  /**
   * Reads the body, late and bounded by `server.max_body_bytes`. Calls back synchronously when the bytes are there.
   * @throws SvcError PAYLOAD_TOO_LARGE (through the promise)
   */
  readBody(): Promise<Buffer>
}

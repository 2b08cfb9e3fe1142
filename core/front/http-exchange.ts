import type { Exchange } from './exchange.ts'

/** An exchange that came over HTTP: adds what only HTTP has. */
export interface HttpExchange extends Exchange {
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
   * Headers (lower-case names) that the reply carries whatever becomes of the request: success, error, or the answer of
   * another hook. `vary` joins the front's own. `null` until a hook lays some down.
   */
  replyHeaders: Record<string, string> | null
  /**
   * Reads the body, late and bounded by `server.max_body_bytes`. Calls back synchronously when the bytes are there.
   * @throws SvcError PAYLOAD_TOO_LARGE (through the promise)
   */
  readBody(): Promise<Buffer>
}

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpExchange } from './http-exchange.ts'
import type { Reply } from './reply.ts'

/** A request to change the protocol of its connection, for example to WebSocket (RFC 9110, section 7.8). */
export interface Upgrade {
  readonly request: IncomingMessage
  /**
   * Takes over the connection from the HTTP server. From then on only the handler may write to it. The request (`ctx`)
   * has no deadline any more, and counts as running until the connection closes. At shutdown the connection is
   * destroyed after `server.shutdown_timeout_ms`.
   * @throws SvcError TIMEOUT: the deadline has passed or the client has disconnected; TypeError: it was taken before
   */
  take(): TakenConnection
}

export interface TakenConnection {
  readonly socket: Duplex
  /** Bytes that the client has already sent after the HTTP request. */
  readonly head: Buffer
}

/**
 * Handles a request to change the protocol. The handler takes over the connection and returns nothing, or rejects the
 * request by a throw or a reply. An error after the take-over is logged, and the connection is closed.
 */
export type UpgradeHandler = (
  ctx: HttpExchange,
  upgrade: Upgrade,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has taken the connection returns nothing
) => Reply | void | Promise<Reply | void>

export interface UpgradeOptions {
  /** `true`: the hooks of `authenticate` do not run for the request. The new protocol carries the credential later. */
  readonly anonymous?: boolean
  /**
   * Protocol that the handler accepts, in lower case: `websocket`. A request for another protocol is treated as a plain
   * HTTP request. Default: any.
   */
  readonly protocol?: string
  /**
   * Converts an error that is thrown before the upgrade to the response. Default: a response with the body
   * `{ "error": { code, message, details } }`.
   */
  readonly renderError?: (ctx: HttpExchange, error: unknown) => Reply
}

/** A plugin's handler of requests to change the protocol at a path, with the plugin's name. */
export interface OwnedUpgrade extends UpgradeOptions {
  readonly plugin: string
  readonly path: string
  readonly handler: UpgradeHandler
}

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpExchange } from './http-exchange.ts'
import type { Reply } from './reply.ts'

/** A request to upgrade the connection to another protocol, such as WebSocket (RFC 9110, section 7.8). */
export interface Upgrade {
  readonly request: IncomingMessage
  /**
   * Takes over the connection. The handler alone must answer it from then on. `ctx` has no deadline any more and stays in flight until the
   * connection closes. At shutdown the process destroys the connection after `server.shutdown_timeout_ms`.
   * @throws SvcError TIMEOUT: the deadline has passed or the client has disconnected; TypeError: it was taken before
   */
  take(): TakenConnection
}

export interface TakenConnection {
  readonly socket: Duplex
  /** Bytes that the client has sent after the request. */
  readonly head: Buffer
}

/**
 * Handles an upgrade request: takes over the connection, or rejects it by a throw or a reply. An error after the
 * take-over is logged, and the connection is closed.
 */
export type UpgradeHandler = (
  ctx: HttpExchange,
  upgrade: Upgrade,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has taken the connection returns nothing
) => Reply | void | Promise<Reply | void>

export interface UpgradeOptions {
  /** `true`: `authenticate` does not run. The protocol itself carries the credential later. */
  readonly anonymous?: boolean
  /** Name of the protocol in lower case: `websocket`. A request to upgrade to another one is treated as a plain request. Default: any. */
  readonly protocol?: string
  /** Renders an error that is thrown before the upgrade. Default: `{ "error": { code, message, details } }`. */
  readonly renderError?: (ctx: HttpExchange, error: unknown) => Reply
}

/** Handler of upgrade requests at a path, with the name of its plugin. */
export interface OwnedUpgrade extends UpgradeOptions {
  readonly plugin: string
  readonly path: string
  readonly handler: UpgradeHandler
}

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpExchange } from './http-exchange.ts'
import type { Reply } from './reply.ts'

/** A connection that asks to speak another protocol (`Connection: Upgrade`): a WebSocket, mostly. */
export interface Upgrade {
  readonly request: IncomingMessage
  /**
   * Takes the connection over. From here on nobody answers it but the handler, `ctx` is in flight until it closes, without a
   * time limit, and the process destroys it after `server.shutdown_timeout_ms` when it stops.
   * @throws SvcError TIMEOUT: the handshake took too long or the client went; TypeError: it is taken already
   */
  take(): TakenConnection
}

export interface TakenConnection {
  readonly socket: Duplex
  /** What the client has sent behind its request. */
  readonly head: Buffer
}

/**
 * Takes the connection, or refuses: by a throw, as a route would, or by a reply. What it throws after it has taken the
 * connection is logged, and the connection closed.
 */
export type UpgradeHandler = (
  ctx: HttpExchange,
  upgrade: Upgrade,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has taken the connection has nothing to say
) => Reply | void | Promise<Reply | void>

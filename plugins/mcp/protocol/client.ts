import type { Exchange } from '../../../core/doors/plugin.ts'
import type { Params } from './message.ts'

/** The MCP client that sent a request: its exchange, protocol revision and capabilities. */
export interface Client {
  readonly exchange: Exchange
  /** Protocol revision of MCP that the client uses. */
  readonly version: string
  /** Capabilities that the client declares in the request; empty for revisions before 2026-07-28. */
  readonly capabilities: Params
  /** Sends a notification to the client before the response; `null` when the transport cannot send one. */
  readonly notify: ((method: string, params: unknown) => void) | null
}

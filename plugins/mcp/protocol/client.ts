import type { Exchange } from '../../../core/doors/plugin.ts'
import type { Params } from './message.ts'

/** The client that sent a request. */
export interface Client {
  readonly exchange: Exchange
  /** Protocol revision that the client uses. */
  readonly version: string
  /** Capabilities that the client declares. */
  readonly capabilities: Params
  /** Sends a notification before the response; `null` when the transport cannot. */
  readonly notify: ((method: string, params: unknown) => void) | null
}

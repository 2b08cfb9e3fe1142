import type { Exchange } from '../../../core/doors/plugin.ts'
import type { Params } from './message.ts'

/** Who sent a message, and what can be said to them before its answer. */
export interface Client {
  readonly exchange: Exchange
  /** Revision of the protocol. */
  readonly version: string
  /** What it says that it can do. */
  readonly capabilities: Params
  /** `null`: nothing can be said before the answer. */
  readonly notify: ((method: string, params: unknown) => void) | null
}

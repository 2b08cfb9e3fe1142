import type { Access } from './access.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'
import type { Parameter } from './statement.ts'

/** Where the values of one request come from. */
export interface BindInput {
  readonly variables: Readonly<Record<string, unknown>>
  readonly exchange: BindExchange
  /** Keys of rows that the engine asks for by itself; absent where it does not. */
  readonly keys?: readonly string[]
  /** What authorize decided; a plan that depends on it cannot do without. */
  readonly access?: Access | undefined
  /** Of a write that somebody is told of. */
  readonly event?: WriteStamp
}

/** What is known of a write before it is made. */
export interface WriteStamp {
  /** Of its first row: `CommittedWrite.id`. */
  readonly id: string
  readonly time: string
  readonly exchange: Exchange
  readonly operation: Operation
}

/** What a plan may read of the exchange. */
export type BindExchange = Pick<Exchange, 'auth' | 'context'> | null

/** One parameter: its value is read per request. The same slot used twice is one placeholder. */
export interface Slot {
  /** @throws SvcError BAD_USER_INPUT when the value cannot be what the place wants */
  readonly read: (input: BindInput) => Parameter
}

import type { Access } from './access.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'
import type { Parameter } from './statement.ts'

/** Input for binding the parameters of a statement. */
export interface BindInput {
  readonly variables: Readonly<Record<string, unknown>>
  readonly exchange: BindExchange
  /** Keys of rows that the engine itself reads again. */
  readonly keys?: readonly string[]
  /** Result of authorize. Required for plans that depend on it. */
  readonly access?: Access | undefined
  /** Facts about a write, when a plugin requests rows for each write. */
  readonly event?: WriteStamp
}

/** Facts about a write that are known before it runs. */
export interface WriteStamp {
  /** Id of the first row's write (`CommittedWrite.id`). */
  readonly id: string
  readonly time: string
  readonly exchange: Exchange
  readonly operation: Operation
}

/** The part of an exchange that plans may read. */
export type BindExchange = Pick<Exchange, 'auth' | 'context'> | null

/** A parameter of a statement, whose value is read for each request. A slot that is used twice is one placeholder. */
export interface Slot {
  /** Reads the value. @throws SvcError BAD_USER_INPUT when it does not fit the parameter */
  readonly read: (input: BindInput) => Parameter
}

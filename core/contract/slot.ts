import type { Access } from './access.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operation.ts'
import type { Parameter } from './statement.ts'

/** Everything from which the parameters of a statement are computed for one request. */
export interface BindInput {
  readonly variables: Readonly<Record<string, unknown>>
  readonly exchange: BindExchange
  /** Keys of rows that the engine itself reads again, for example the written ones. */
  readonly keys?: readonly string[]
  /** Restrictions that `authorize` decided. Required if the plan has restrictions. */
  readonly access?: Access | undefined
  /** Data about the write, if the statement also inserts rows for plugins (`WriteContribution.insert`). */
  readonly event?: WriteStamp
}

/** Data about a write that is known before it runs, for the rows that plugins insert with it. */
export interface WriteStamp {
  /** Id of the first written row (`CommittedWrite.id`). The ids of further rows count up from it. */
  readonly id: string
  readonly time: string
  readonly exchange: Exchange
  readonly operation: Operation
}

/** The part of a request that the parameters of its statements may depend on; `null`: no request. */
export type BindExchange = Pick<Exchange, 'auth' | 'context'> | null

/**
 * A parameter in a plan, whose value is computed for each request. The same slot object at two positions of a plan is
 * one parameter.
 */
export interface Slot {
  /**
   * Computes the value of the parameter for a request.
   * @throws SvcError BAD_USER_INPUT when the client's value does not fit its type
   */
  readonly read: (input: BindInput) => Parameter
}

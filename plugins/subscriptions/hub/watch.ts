import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Exchange, Operation } from '../../../core/doors/plugin.ts'
import type { Target } from '../match/target.ts'

/** A subscription prepared for a loaded schema: which events it selects, and how their rows are read. */
export interface Watch {
  readonly target: Target
  /** The operation that the client sent. Access to it is checked again for each read. */
  readonly operation: Operation
  /** The exchange with the subscriber, which has its caller and the loaded schema. */
  readonly exchange: Exchange
  /** Key that is equal for subscriptions with the same selection and filters, whatever the access of their callers. */
  readonly key: string
  /**
   * Tests whether a change matches the arguments of the client and the filter of the schema's author.
   * @throws ExpressionFailure
   */
  accepts(change: changes.ObservedChange): boolean
  /** Reads the rows of events. @returns the text to send per event; `null`: do not send the event */
  read(exchange: Exchange, events: readonly ChangeEvent[]): Promise<readonly (string | null)[]>
}

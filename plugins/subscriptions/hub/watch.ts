import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Exchange, Operation } from '../../../core/doors/plugin.ts'
import type { Target } from '../match/target.ts'

/**
 * The events that a subscriber selects, and the read of their rows. It is prepared for one generation of the schema.
 */
export interface Watch {
  readonly target: Target
  /** The operation of the front, without the decision of `authorize`, which is made again for each read. */
  readonly operation: Operation
  /** The exchange of the subscriber, with its caller and generation. */
  readonly exchange: Exchange
  /** Text that is equal for watches with the same read and filter. Access is not part of it. */
  readonly key: string
  /** Tests whether the filters of client and author accept a change. @throws ExpressionFailure */
  accepts(change: changes.ObservedChange): boolean
  /** Reads the rows of events for the response. @returns a text per event; `null`: do not send the event */
  read(exchange: Exchange, events: readonly ChangeEvent[]): Promise<readonly (string | null)[]>
}

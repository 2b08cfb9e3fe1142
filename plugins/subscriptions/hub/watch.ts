import type { ChangeEvent, ObservedChange } from '../../../core/doors/front.ts'
import type { Exchange, Operation } from '../../../core/doors/plugin.ts'
import type { Target } from '../match/target.ts'

/** What one subscriber wants to hear of, and how it is read: as it was prepared for one generation of the schema. */
export interface Watch {
  readonly target: Target
  /** As the front made it: authorized anew for each subscriber, again and again. */
  readonly operation: Operation
  /** Of the subscriber: who it is, and its schema. */
  readonly exchange: Exchange
  /** Equal for what is read and matched alike, access aside. */
  readonly key: string
  /** What the client and the author ask of a change beside its type. @throws ExpressionFailure */
  accepts(change: ObservedChange): boolean
  /** @returns text for each event; `null`: there is nothing to tell */
  read(exchange: Exchange, events: readonly ChangeEvent[]): Promise<readonly (string | null)[]>
}

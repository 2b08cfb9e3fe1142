import { type ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Target } from '../match/target.ts'
import type { Watch } from './watch.ts'

/** An event to send to subscribers. Its rows are parsed at their first use and shared by all subscribers. */
export class LiveEvent {
  readonly event: ChangeEvent
  /** Position of the event; `null` for messages, which have none. */
  readonly at: bigint | null
  #change: changes.ObservedChange | undefined

  constructor(event: ChangeEvent, at: bigint | null) {
    this.event = event
    this.at = at
  }

  /** @throws ExpressionFailure when the author's filter cannot be evaluated */
  isFor(watch: Watch): boolean {
    return watch.accepts(this.#of(watch.target))
  }

  #of({ types }: Target): changes.ObservedChange {
    const { event } = this
    const shape = types.get(event.entityType ?? '')?.shape
    if (shape === undefined) throw new Error(`${event.entityType} is not watched`)
    // All shapes of a type are equal, so that the first result holds for all targets.
    this.#change ??= changes.observe(event, shape)
    return this.#change
  }
}

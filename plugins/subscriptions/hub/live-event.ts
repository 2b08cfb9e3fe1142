import { type ChangeEvent, type ObservedChange, observe } from '../../../core/doors/front.ts'
import type { Target } from '../match/target.ts'
import type { Watch } from './watch.ts'

/** An event on its way to subscribers. Its rows are parsed when somebody looks at them, once. */
export class LiveEvent {
  readonly event: ChangeEvent
  /** `null`: it has no place among the others. */
  readonly at: bigint | null
  #change: ObservedChange | undefined

  constructor(event: ChangeEvent, at: bigint | null) {
    this.event = event
    this.at = at
  }

  /** @throws ExpressionFailure when the author's filter cannot be answered */
  isFor(watch: Watch): boolean {
    return watch.accepts(this.#of(watch.target))
  }

  #of({ types }: Target): ObservedChange {
    const { event } = this
    const shape = types.get(event.entityType ?? '')?.shape
    if (shape === undefined) throw new Error(`${event.entityType} is not watched`)
    // Shapes of one type say the same.
    this.#change ??= observe(event, shape)
    return this.#change
  }
}

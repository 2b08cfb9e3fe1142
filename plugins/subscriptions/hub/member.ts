import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Sink, Subscriber } from '../api.ts'
import type { Watch } from './watch.ts'

/** Makes the same subscription in another generation of the schema. @throws why that cannot be */
export type Renew = () => Promise<Watch>

/** A subscriber, as the hub knows it. */
export interface Member extends Subscriber {
  readonly sink: Sink
  watch: Watch
  readonly renew: Renew
  /** Events up to here were told, or came before it. */
  since: bigint
  /** Equal for those who see the same. */
  accessKey: string
  /** When its access was asked last, in milliseconds of `performance.now()`. */
  checkedAt: number
  /** What it saw last, for the error when events are lost. */
  lastEventId: string | null
  isOver: boolean
  /** Messages that stand in no order, and came while it was in no reader. */
  readonly missed: ChangeEvent[]
}

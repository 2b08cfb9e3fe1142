import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Sink, Subscriber } from '../api.ts'
import type { Watch } from './watch.ts'

/** Prepares the same subscription for the present generation of the schema. @throws the error that makes it impossible */
export type Renew = () => Promise<Watch>

/** A subscriber in the hub. */
export interface Member extends Subscriber {
  readonly sink: Sink
  watch: Watch
  readonly renew: Renew
  /** Position up to which it needs no events: they were sent, or occurred before it subscribed. */
  since: bigint
  /** Equal for subscribers with the same access. */
  accessKey: string
  /** Time of the last access check, in milliseconds of `performance.now()`. */
  checkedAt: number
  /** Id of the last event that was sent, for the error when events are lost. */
  lastEventId: string | null
  isOver: boolean
  /** Messages without a position that arrived while it belonged to no reader. */
  readonly missed: ChangeEvent[]
}

import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Target } from '../match/target.ts'
import type { Sink, Subscriber } from '../transport/subscriptions.ts'
import type { Watch } from './watch.ts'

/** Most messages that are queued for a member. One more is an overflow. */
const MOST_MISSED = 2000

/**
 * Prepares the same subscription for the loaded schema.
 * @throws the error that makes it impossible, for example when the field was removed
 */
export type Renew = () => Promise<Watch>

/** A subscriber of this process, with the state that the {@link Hub} keeps about it. */
export interface Member extends Subscriber {
  readonly sink: Sink
  watch: Watch
  readonly renew: Renew
  /** Position up to which no event must be sent: these were sent, or are from before the subscription. */
  since: bigint
  /** Key that is equal for subscribers with equal access. */
  accessKey: string
  /** Time of the last access check, in milliseconds of `performance.now()`. */
  checkedAt: number
  /** Id of the last event that was sent; `null`: none. For the error when events are lost. */
  lastEventId: string | null
  isOver: boolean
  /**
   * Messages of a database channel that arrived while the subscriber could not be served. They are not stored
   * elsewhere.
   */
  readonly missed: ChangeEvent[]
}

/**
 * Subscribers that are not served at the moment, because they catch up or are prepared anew. Messages of database
 * channels are queued for them; events can be read again later.
 */
export class Aside {
  readonly #members = new Set<Member>()
  readonly #overflow: (member: Member) => void

  constructor(overflow: (member: Member) => void) {
    this.#overflow = overflow
  }

  add(member: Member): void {
    this.#members.add(member)
  }

  delete(member: Member): void {
    this.#members.delete(member)
  }

  message(event: ChangeEvent, isFor: (target: Target) => boolean): void {
    for (const member of this.#members) {
      if (!isFor(member.watch.target)) continue
      if (member.missed.length >= MOST_MISSED) this.#overflow(member)
      else member.missed.push(event)
    }
  }
}

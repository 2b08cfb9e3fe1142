import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Target } from '../match/target.ts'
import type { Sink, Subscriber } from '../transport/subscriptions.ts'
import type { Watch } from './watch.ts'

/** Most messages that are queued for a member. One more is an overflow. */
const MOST_MISSED = 2000

/** Prepares the same subscription for the present generation of the schema. @throws the error that makes it impossible */
export type Renew = () => Promise<Watch>

/** A subscriber in the hub. */
export interface Member extends Subscriber {
  readonly sink: Sink
  watch: Watch
  readonly renew: Renew
  /** Position up to which the subscriber needs no events: they were sent, or occurred before it subscribed. */
  since: bigint
  /** Text that is equal for subscribers with the same access. */
  accessKey: string
  /** Time of the last access check, in milliseconds of `performance.now()`. */
  checkedAt: number
  /** Id of the last event that was sent, for the error when events are lost. */
  lastEventId: string | null
  isOver: boolean
  /** Messages without a position that arrived while no reader served the subscriber. */
  readonly missed: ChangeEvent[]
}

/**
 * Members without a reader: they read missed events, or wait for their renewal. Events are read again from where they are
 * stored. Messages have no position and are not stored, so that they are queued here.
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

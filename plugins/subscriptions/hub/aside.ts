import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Target } from '../match/target.ts'
import type { Member } from './member.ts'

/** Most messages that are queued for a member. One more is an overflow. */
const MOST_MISSED = 2000

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

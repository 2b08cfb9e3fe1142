import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Target } from '../match/target.ts'
import type { Member } from './member.ts'

/** Messages that wait for one member. What comes on top is too much for it. */
const MOST_MISSED = 2000

/**
 * Members who are in no reader: they catch up, or wait until they are made anew. Events they read again where they are kept; messages that
 * stand in no order are kept for them here.
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

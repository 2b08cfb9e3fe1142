import type { ChangeEvent } from '../../../core/doors/front.ts'

const MOST_EVENTS = 5000
/** Limit on the characters of rows. */
const MOST_TEXT = 16_000_000

/** The latest events of this process in memory, up to a size limit. */
export class EventRing {
  #events: ChangeEvent[] = []
  /** Index of the first event in the list. Events before it are removed in batches. */
  #start = 0
  #text = 0
  #floor: bigint

  constructor(position: string) {
    this.#floor = BigInt(position)
  }

  /** Position after which all events are here. */
  get floor(): bigint {
    return this.#floor
  }

  add(event: ChangeEvent): void {
    this.#events.push(event)
    this.#text += sizeOf(event)
    while (this.#events.length - this.#start > MOST_EVENTS || this.#text > MOST_TEXT) {
      const gone = this.#events[this.#start++]!
      this.#text -= sizeOf(gone)
      this.#floor = BigInt(gone.position)
    }
    // Compacts when half of the list is removed, because removed events stay in memory as long as the list.
    if (this.#start <= this.#events.length - this.#start) return
    this.#events = this.#events.slice(this.#start)
    this.#start = 0
  }

  /** Returns the first `limit` events after `after`. */
  behind(after: bigint, limit: number): readonly ChangeEvent[] {
    let low = this.#start
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (BigInt(this.#events[middle]!.position) > after) high = middle
      else low = middle + 1
    }
    return this.#events.slice(low, low + limit)
  }

  find(id: string): string | null {
    for (let index = this.#events.length - 1; index >= this.#start; index--) {
      const event = this.#events[index]!
      if (event.id === id) return event.position
    }
    return null
  }
}

function sizeOf({ entity, before }: ChangeEvent): number {
  return (entity?.length ?? 0) + (before?.length ?? 0) + 200
}

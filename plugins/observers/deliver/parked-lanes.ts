import type { DeliveryStore } from './delivery.ts'

/** So many are known by heart; of more the store is asked. */
const MOST_KNOWN = 50_000

/** Lanes in which something is parked, so that what comes later waits behind it. */
export class ParkedLanes {
  readonly #store: Pick<DeliveryStore, 'waitingLanes' | 'isWaiting'>
  readonly #most: number
  #known = new Set<string>()
  /** There are some that are not known. */
  #isMore = false
  /** What was parked while the store was asked: it may not have seen it. */
  readonly #loads = new Set<Set<string>>()

  constructor(store: Pick<DeliveryStore, 'waitingLanes' | 'isWaiting'>, most = MOST_KNOWN) {
    this.#store = store
    this.#most = most
  }

  async load(): Promise<void> {
    const meanwhile = new Set<string>()
    this.#loads.add(meanwhile)
    try {
      const lanes = await this.#store.waitingLanes(this.#most + 1)
      this.#isMore = lanes.length > this.#most
      this.#known = new Set([...lanes.slice(0, this.#most), ...meanwhile])
    } finally {
      this.#loads.delete(meanwhile)
    }
  }

  has(lane: string): boolean | Promise<boolean> {
    return this.#known.has(lane) || (this.#isMore && this.#store.isWaiting(lane))
  }

  add(lane: string): void {
    for (const meanwhile of this.#loads) meanwhile.add(lane)
    if (this.#known.has(lane)) return
    if (this.#known.size < this.#most) this.#known.add(lane)
    else this.#isMore = true
  }

  /** Nothing waits in it any more. @returns whether it is worth loading anew: few are known, and there were more */
  delete(lane: string): boolean {
    this.#known.delete(lane)
    return this.#isMore && this.#known.size < this.#most / 2
  }
}

import type { DeliveryStore } from './delivery.ts'
import { NotActive } from './not-active.ts'

/** Lanes that are kept in memory; beyond them, the store is queried. */
const MOST_KNOWN = 50_000

/**
 * Runs deliveries while this process is active: those with the same queue key one after another, others in parallel.
 */
export class Lanes {
  /** The last work of each running lane. */
  readonly #running = new Map<string, Promise<void>>()
  /** Lanes in which work failed: this work and all later work of the lane is repeated in the next turn. */
  readonly #broken = new Set<string>()

  /** @throws the error of the work, or NotActive when earlier work of the lane has failed in this turn */
  run(key: string, work: () => Promise<void>): Promise<void> {
    if (this.#broken.has(key)) return Promise.reject(new NotActive())
    const before = this.#running.get(key)
    const own = before === undefined ? work() : before.then(work)
    this.#running.set(key, own)
    const end = (isBroken: boolean): void => {
      if (isBroken) this.#broken.add(key)
      if (this.#running.get(key) === own) this.#running.delete(key)
    }
    own.then(
      () => end(false),
      () => end(true),
    )
    return own
  }
}

/** The time in which this process is the active one, from start to end. */
export interface Round {
  readonly turn: AbortSignal
  readonly lanes: Lanes
}

/** Keys of the queues that have stored deliveries, behind which later deliveries of the same queue must wait. */
export class ParkedLanes {
  readonly #store: Pick<DeliveryStore, 'waitingLanes' | 'isWaiting'>
  readonly #most: number
  #known = new Set<string>()
  /** Does the store have more such lanes than are kept in memory? */
  #isMore = false
  /** Lanes that were added during a query of the store, which may lack them. */
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

  /** Removes an empty lane. @returns `true`: load more lanes, as few are in memory */
  delete(lane: string): boolean {
    this.#known.delete(lane)
    return this.#isMore && this.#known.size < this.#most / 2
  }
}

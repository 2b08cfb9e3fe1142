import { NotActive } from './not-active.ts'

/** Of one turn: work of a lane runs one after the other; lanes do not wait for each other. */
export class Lanes {
  /** The last work of each lane that runs. */
  readonly #running = new Map<string, Promise<void>>()
  /** Those in which something failed: it comes again in the next turn, and with it all behind it. */
  readonly #broken = new Set<string>()

  /** @throws what the work threw; NotActive: something before it failed in this turn, whether or not anybody has heard of it yet */
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

/** A turn of this process, from its start to its end. */
export interface Round {
  readonly turn: AbortSignal
  readonly lanes: Lanes
}

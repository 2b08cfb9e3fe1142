import { SvcError } from '../../core/doors/plugin.ts'

/**
 * Limits the number of concurrent Arrow streams of a process, because each occupies a connection of the database pool.
 */
export class StreamSlots {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a slot. @returns a function that releases it, once @throws SvcError SERVICE_UNAVAILABLE when all are taken */
  take(): () => void {
    if (this.#taken >= this.#most) {
      throw new SvcError(
        'SERVICE_UNAVAILABLE',
        `${this.#most} columnar streams are under way already (arrow.max_concurrent). Try again when one has ended.`,
        { retryAfter: 1 },
      )
    }
    this.#taken += 1
    let isTaken = true
    return () => {
      if (isTaken) this.#taken -= 1
      isTaken = false
    }
  }
}

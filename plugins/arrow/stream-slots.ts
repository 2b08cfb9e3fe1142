import { SvcError } from '../../core/doors/plugin.ts'

/** Places for streams, because each holds a connection of the pool that others wait for. Of one process. */
export class StreamSlots {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  /** @returns gives the place back, once @throws SvcError SERVICE_UNAVAILABLE: all are taken */
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

/** Age of a result after which the next write triggers another read of the catalog. */
const OLD_MS = 10_000
/** Limit on the fraction of time spent on reading the catalog. */
const MOST_OF_TIME = 1 / 20

interface SessionSettersOptions {
  /** Reads from the catalog whether functions may change settings of the session (`hasSessionSetters`). */
  readonly read: () => Promise<boolean>
  /** Called when such functions exist that the last read had not found: settings of open sessions may have changed since. */
  readonly onFound: () => void
  readonly oldMs?: number
}

/**
 * Tracks whether the database has functions that may change settings of their session, so that the session must be
 * reset after a write. svc assumes so until it has read the catalog, which it repeats in case a migration adds such
 * functions.
 */
export class SessionSetters {
  readonly #options: SessionSettersOptions
  #answer: boolean | null = null
  /** The result of the last successful read. */
  #heard = true
  #isDue = true
  #timer: NodeJS.Timeout | null = null

  constructor(options: SessionSettersOptions) {
    this.#options = options
  }

  /** Must the session be reset after a call? Never waits. */
  get mayExist(): boolean {
    if (this.#isDue) void this.#look()
    return this.#answer !== false
  }

  async #look(): Promise<void> {
    this.#isDue = false
    const { read, onFound, oldMs = OLD_MS } = this.#options
    const began = performance.now()
    // After a failed read the answer is unknown, so that such functions are assumed.
    this.#answer = await read().catch(() => null)
    if (this.#answer !== null) {
      if (this.#answer && !this.#heard) onFound()
      this.#heard = this.#answer
    }
    const pause = Math.max(oldMs, (performance.now() - began) / MOST_OF_TIME)
    this.#timer = setTimeout(() => {
      this.#isDue = true
    }, pause)
    this.#timer.unref()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}

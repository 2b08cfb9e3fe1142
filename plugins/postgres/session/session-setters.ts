/** How old an answer gets before the next write has the catalog read again. */
const OLD_MS = 10_000
/** To read the catalog again and again takes at most this part of the time. */
const MOST_OF_TIME = 1 / 20

interface SessionSettersOptions {
  /** Reads from the catalog whether code may set something (`hasSessionSetters`). */
  readonly read: () => Promise<boolean>
  /** There is such code, and at the last look there was none: sessions may have been changed since. */
  readonly onFound: () => void
  readonly oldMs?: number
}

/**
 * Does the database have code that may set something for its session? Until the catalog has said no, it does. The catalog is read beside the
 * first write, and beside a later one when the answer is old: a migration may have brought such code.
 */
export class SessionSetters {
  readonly #options: SessionSettersOptions
  #answer: boolean | null = null
  /** The last answer of the catalog. */
  #heard = true
  #isDue = true
  #timer: NodeJS.Timeout | null = null

  constructor(options: SessionSettersOptions) {
    this.#options = options
  }

  /** Has the session to be reset behind a call? Never waits. */
  get mayExist(): boolean {
    if (this.#isDue) void this.#look()
    return this.#answer !== false
  }

  async #look(): Promise<void> {
    this.#isDue = false
    const { read, onFound, oldMs = OLD_MS } = this.#options
    const began = performance.now()
    // A catalog that cannot be read says nothing.
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

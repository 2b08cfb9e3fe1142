/**
 * Limits the number of concurrent pieces of work. A piece that had to wait starts in a later turn of the event loop, so that
 * requests run between the reads of many subscriptions.
 */
export class Turns {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Waits for a turn. @returns the function that ends the turn; call it once */
  async begin(): Promise<() => void> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    return () => this.#end()
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.begin()
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Passes the turn to the next piece, or frees it. */
  #end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else setImmediate(next)
  }
}

/**
 * Work that takes turns, a number of pieces at once. A piece that had to wait begins in a later turn of the event loop, so that requests
 * are served between the reads of many subscriptions.
 */
export class Turns {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  /** @returns ends the turn, and has to be called once */
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

  /** The turn passes on to the next piece, or is free. */
  #end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else setImmediate(next)
  }
}

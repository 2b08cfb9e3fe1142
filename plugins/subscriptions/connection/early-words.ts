/** Messages that may come too early. */
const MOST = 100

/** What a client says before it is known who it is: kept up to a number and a size, in its order. */
export class EarlyWords {
  readonly #mostBytes: number
  #waiting: (() => void)[] = []
  #bytes = 0

  /** @param mostBytes of the messages themselves */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** @returns whether there was room for it */
  add(bytes: number, work: () => void): boolean {
    if (this.#waiting.length >= MOST || this.#bytes + bytes > this.#mostBytes) return false
    this.#waiting.push(work)
    this.#bytes += bytes
    return true
  }

  /** Does all of it, once. */
  run(): void {
    const waiting = this.#waiting
    this.clear()
    for (const work of waiting) work()
  }

  clear(): void {
    this.#waiting = []
    this.#bytes = 0
  }
}

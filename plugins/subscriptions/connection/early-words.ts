/** Most messages before the connection is authenticated. */
const MOST = 100

/** Queues the messages of a client until its connection is authenticated, with limits on number and size. */
export class EarlyWords {
  readonly #mostBytes: number
  #waiting: (() => void)[] = []
  #bytes = 0

  /** @param mostBytes limit on the sum of message sizes */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** @returns `false` when a limit is reached */
  add(bytes: number, work: () => void): boolean {
    if (this.#waiting.length >= MOST || this.#bytes + bytes > this.#mostBytes) return false
    this.#waiting.push(work)
    this.#bytes += bytes
    return true
  }

  /** Handles all queued messages, in their order. */
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

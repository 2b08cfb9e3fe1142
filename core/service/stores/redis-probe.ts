import type { Redis } from 'ioredis'

/** Milliseconds between two probes. */
const PAUSE_MS = 500
/** Milliseconds after which a connection with an unanswered probe is replaced. Doubles with each attempt. */
const PATIENCE_MS = { first: 2000, most: 30_000 }

interface Waiting {
  readonly timeoutMs: number
  readonly answers: () => void
}

/**
 * Pings a Redis server that does not answer in the background, so that no request has to wait to find out whether it is
 * available again.
 */
export class RedisProbe {
  readonly #client: Redis
  #waiting: readonly Waiting[] = []
  #isRunning = false
  #isClosed = false
  /** Ends the current pause or wait. */
  #wake: () => void = () => {}

  constructor(client: Redis) {
    this.#client = client
  }

  /**
   * Calls `answers` once a probe is answered within a time.
   * @param timeoutMs that time
   * @returns a function that cancels the call
   */
  watch(timeoutMs: number, answers: () => void): () => void {
    const one = { timeoutMs, answers }
    this.#waiting = [...this.#waiting, one]
    if (!this.#isRunning) void this.#run()
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== one)
    }
  }

  end(): void {
    this.#isClosed = true
    this.#waiting = []
    this.#wake()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    let patienceMs = PATIENCE_MS.first
    while (this.#waiting.length > 0) {
      const tookMs = await this.#ping(patienceMs)
      if (this.#isClosed) break
      if (tookMs === null) {
        await this.#replaceConnection()
        patienceMs = Math.min(2 * patienceMs, PATIENCE_MS.most)
        continue
      }
      const recovered = this.#waiting.filter(({ timeoutMs }) => tookMs <= timeoutMs)
      this.#waiting = this.#waiting.filter((one) => !recovered.includes(one))
      for (const { answers } of recovered) answers()
      if (this.#waiting.length > 0) await this.#within(PAUSE_MS, () => {})
    }
    this.#isRunning = false
  }

  /** Opens a new connection, because the old one may be dead without having been closed. */
  async #replaceConnection(): Promise<void> {
    const client = this.#client
    let closed = () => {}
    const isClosed = this.#within(PAUSE_MS, (done) => {
      closed = done
      client.once('close', done)
    })
    client.disconnect(true)
    await isClosed
    client.off('close', closed)
  }

  /** Sends a probe. @returns milliseconds until the answer, Infinity for an error; `null`: no answer in time */
  async #ping(patienceMs: number): Promise<number | null> {
    const client = this.#client
    if (client.status !== 'ready') {
      let isReady = () => {}
      const cameBack = await this.#within(patienceMs, (done) => {
        isReady = done
        client.once('ready', done)
      })
      client.off('ready', isReady)
      if (!cameBack) return null
    }
    const started = performance.now()
    let tookMs = Number.POSITIVE_INFINITY
    const isOver = await this.#within(patienceMs, (done) => {
      client
        .ping()
        .then(() => {
          tookMs = performance.now() - started
        })
        .then(done, done)
    })
    return isOver ? tookMs : null
  }

  /**
   * Waits for an event.
   * @param begin starts waiting and calls `done` when the event occurs
   * @returns whether it occurred in time
   */
  #within(timeoutMs: number, begin: (done: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (came: boolean): void => {
        clearTimeout(timer)
        resolve(came)
      }
      const timer = setTimeout(finish, timeoutMs, false)
      timer.unref()
      this.#wake = () => finish(false)
      begin(() => finish(true))
    })
  }
}

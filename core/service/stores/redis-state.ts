import type { Redis } from 'ioredis'
import type { Signal, Signals } from '../../contract/signals.ts'
import { RedisProbe } from './redis-probe.ts'

/**
 * Tracks whether a Redis server is available. It emits a signal when that changes, and lets requests wait briefly for a
 * reconnect.
 */
export class RedisState {
  readonly #client: Redis
  /** Host and port of the server. */
  readonly host: string
  /** Users of the connection with their counts. Two apps of a process share one connection. */
  readonly #users = new Map<Signals, number>()
  #isDown = false
  /** Time when the connection was lost, or first opened; `null`: it is open. Failed attempts do not change it. */
  #awaySince: number | null = Date.now()
  /** Number of users whose last call timed out. */
  #silentUsers = 0
  readonly #probe: RedisProbe
  #lastError: unknown = new Error('The connection is not open yet.')

  constructor(client: Redis, host: string) {
    this.#client = client
    this.#probe = new RedisProbe(client)
    this.host = host
    // Each waiting request adds a listener.
    client.setMaxListeners(0)
    client.on('error', (error: Error) => this.failed(error))
    client.on('close', () => {
      this.#awaySince ??= Date.now()
    })
    client.on('ready', () => {
      this.#awaySince = null
      this.worked()
    })
  }

  join(signals: Signals): void {
    this.#users.set(signals, (this.#users.get(signals) ?? 0) + 1)
  }

  leave(signals: Signals): void {
    const left = (this.#users.get(signals) ?? 0) - 1
    if (left > 0) this.#users.set(signals, left)
    else this.#users.delete(signals)
  }

  isUsedBy(signals: Signals): boolean {
    return this.#users.has(signals)
  }

  /** Waits for the connection. @throws when it is not ready in time; at once when it has been lost for longer than the timeout */
  async untilReady(timeoutMs: number): Promise<void> {
    const left = (this.#awaySince ?? Date.now()) + timeoutMs - Date.now()
    if (left <= 0) throw this.#lastError
    await new Promise<void>((resolve, reject) => {
      const ready = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#client.off('ready', ready)
        reject(this.#lastError)
      }, left)
      this.#client.once('ready', ready)
    })
  }

  /**
   * Records that a call of a user timed out. For this user the server is down until it answers a probe in time.
   * @param answers is called when the server answers in time again
   * @returns a function for a user that closes before
   */
  silent(timeoutMs: number, error: unknown, answers: () => void): () => void {
    this.#silentUsers++
    this.failed(error)
    const over = (): void => {
      this.#silentUsers--
      this.worked()
    }
    const stop = this.#probe.watch(timeoutMs, () => {
      answers()
      over()
    })
    return () => {
      stop()
      over()
    }
  }

  /** The server is reachable, as far as calls and probes have shown. */
  get isUp(): boolean {
    return this.#awaySince === null && !this.#isDown
  }

  get lastError(): unknown {
    return this.#lastError
  }

  worked(): void {
    // Users have different timeouts. The server counts as down while it does not answer one of them in time.
    if (!this.#isDown || this.#silentUsers > 0) return
    this.#isDown = false
    this.#emit({ type: 'store-up', store: this.host })
  }

  failed(error: unknown): void {
    this.#lastError = error
    if (this.#isDown) return
    this.#isDown = true
    this.#emit({ type: 'store-down', store: this.host, error })
  }

  end(): void {
    this.#probe.end()
    this.#client.removeAllListeners()
    // Pending commands fail with the connection. An error event without a listener would end the process.
    this.#client.on('error', () => {})
  }

  #emit(signal: Signal): void {
    for (const signals of this.#users.keys()) signals.emit(signal)
  }
}

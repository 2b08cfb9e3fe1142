import type { Redis } from 'ioredis'
import type { Signal, Signals } from '../signals/signals.ts'
import { RedisProbe } from './redis-probe.ts'

/** Is the server there? Says so once when that changes, and lets a request wait a moment while it comes back. */
export class RedisState {
  readonly #client: Redis
  /** Of the server, with its port. */
  readonly host: string
  /** Those that use it, and how often: two apps of a process share one connection. */
  readonly #users = new Map<Signals, number>()
  #isDown = false
  /** When the connection was lost, or first asked for; `null` = it is there. Attempts that fail change nothing. */
  #awaySince: number | null = Date.now()
  /** Users whose last call was not answered in time. */
  #silentUsers = 0
  readonly #probe: RedisProbe
  #lastError: unknown = new Error('The connection is not open yet.')

  constructor(client: Redis, host: string) {
    this.#client = client
    this.#probe = new RedisProbe(client)
    this.host = host
    // Every request that waits for it listens.
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

  /** @throws when it is not ready in time; at once where it has been away for longer than that already */
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
   * Notes that a user's call was not answered in time: the server is away for it until a probe is.
   * @param answers called when the server answers this user again
   * @returns the function for a user that leaves before
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

  /** Is the server there, as far as anybody who uses it knows? */
  get isUp(): boolean {
    return this.#awaySince === null && !this.#isDown
  }

  get lastError(): unknown {
    return this.#lastError
  }

  worked(): void {
    // One user may be answered in time while another, with less of it, is not: the server is away as long as that is so.
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
    // What is still on its way fails with the connection; an error without a listener would end the process.
    this.#client.on('error', () => {})
  }

  #emit(signal: Signal): void {
    for (const signals of this.#users.keys()) signals.emit(signal)
  }
}

import type { Redis } from 'ioredis'
import type { Signals } from '../signals/signals.ts'

/** Is the server there? Says so once when that changes, and lets a request wait a moment while it comes back. */
export class RedisState {
  readonly #client: Redis
  readonly #host: string
  readonly #signals: Signals
  #isDown = false
  /** When the connection was lost, or first asked for; `null` = it is there. Attempts that fail change nothing. */
  #awaySince: number | null = Date.now()
  #lastError: unknown = new Error('The connection is not open yet.')

  constructor(client: Redis, host: string, signals: Signals) {
    this.#client = client
    this.#host = host
    this.#signals = signals
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

  worked(): void {
    if (!this.#isDown) return
    this.#isDown = false
    this.#signals.emit({ type: 'store-up', store: this.#host })
  }

  failed(error: unknown): void {
    this.#lastError = error
    if (this.#isDown) return
    this.#isDown = true
    this.#signals.emit({ type: 'store-down', store: this.#host, error })
  }

  end(): void {
    this.#client.removeAllListeners()
    // What is still on its way fails with the connection; an error without a listener would end the process.
    this.#client.on('error', () => {})
  }
}

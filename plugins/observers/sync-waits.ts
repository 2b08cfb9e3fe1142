import type { Exchange, Scope } from '../../core/doors/plugin.ts'
import { DONE_CHANNEL } from './backends/sql-backend.ts'

/** Ids that are remembered when an event is done before its mutation waits for it. */
const MOST_DONE = 1000

/** Delays the results of mutations until observers with `sync` have handled their events, in whichever process. */
export class SyncWaits {
  readonly #timeoutMs: number
  readonly #waiting = new Map<string, () => void>()
  readonly #done = new Set<string>()
  readonly #pending = new WeakMap<Exchange, Promise<unknown>>()

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** The event with this id is delivered. */
  done(id: string): void {
    const resolve = this.#waiting.get(id)
    if (resolve !== undefined) {
      resolve()
      return
    }
    this.#done.add(id)
    if (this.#done.size <= MOST_DONE) return
    const [oldest] = this.#done
    this.#done.delete(oldest!)
  }

  /** Makes the result of an exchange wait for these events. */
  expect(exchange: Exchange, ids: readonly string[]): void {
    if (ids.length === 0) return
    const all = ids.map((id) => this.#of(id))
    this.#pending.set(exchange, Promise.all([this.#pending.get(exchange), ...all]))
  }

  /** Returns a result once the expected events of its exchange are delivered, or the time is over. */
  async after<T>(exchange: Exchange, result: T | Promise<T>): Promise<T> {
    const answer = await result
    await this.#pending.get(exchange)
    return answer
  }

  /** Learns of deliveries by other processes. */
  async listen(scope: Scope): Promise<void> {
    try {
      const end = await scope.database().listen?.(DONE_CHANNEL, (id) => this.done(id))
      if (end !== undefined) scope.onClose(end)
    } catch (error) {
      scope.log.warn({ error: String(error) }, 'observers with sync are not waited for: the database is away')
    }
  }

  async #of(id: string): Promise<void> {
    if (this.#done.delete(id)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#timeoutMs)
      this.#waiting.set(id, () => {
        clearTimeout(timer)
        resolve()
      })
    })
    this.#waiting.delete(id)
  }
}

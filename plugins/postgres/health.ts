import type { Signals } from '../../core/index.ts'

/** Knows whether the server can be reached, and tells it once each time that changes. */
export class Health {
  /** Why the last attempt failed while no connection stands; `null` = reachable, as far as is known. */
  failure: unknown = null
  #live = 0
  readonly #signals: Signals

  constructor(signals: Signals) {
    this.#signals = signals
  }

  get connected(): boolean {
    return this.#live > 0
  }

  opened(): void {
    this.#live++
    if (this.failure === null) return
    this.failure = null
    this.#signals.emit({ type: 'database-up' })
  }

  closed(): void {
    this.#live--
  }

  failed(error: unknown): void {
    if (this.#live > 0) return
    const isNews = this.failure === null
    this.failure = error
    if (isNews) this.#signals.emit({ type: 'database-down', error })
  }
}

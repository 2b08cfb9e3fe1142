import type { Signals } from '../../../core/doors/plugin.ts'

/** Knows whether the server can be reached, and tells it once each time that changes. */
export class Health {
  /** Why the last attempt failed while no connection stands; `null` = reachable, as far as is known. */
  failure: unknown = null
  #live = 0
  #isReadOnly = false
  readonly #signals: Signals

  constructor(signals: Signals) {
    this.#signals = signals
  }

  get connected(): boolean {
    return this.#live > 0
  }

  /** Did the server let the newest session write nothing? */
  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  /**
   * @param isReadOnly the session can write nothing
   * @returns can it write, and could those before it not?
   */
  opened(isReadOnly: boolean): boolean {
    this.#live++
    if (this.failure !== null) {
      this.failure = null
      this.#signals.emit({ type: 'database-up' })
    }
    if (isReadOnly === this.#isReadOnly) return false
    this.#isReadOnly = isReadOnly
    this.#signals.emit({ type: isReadOnly ? 'database-read-only' : 'database-writable' })
    return !isReadOnly
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

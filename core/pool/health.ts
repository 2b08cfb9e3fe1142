import type { Signals } from '../contract/signals.ts'

/** Tracks whether the database server is reachable and writable, and emits a signal at each change. */
export class Health {
  /** The error of the last attempt while no connection is open; `null`: the server can be reached, as far as is known. */
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

  /** Is the newest session read-only? */
  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  /**
   * @param isReadOnly `true` if the new session is read-only
   * @returns `true` if it can write although the session before it could not
   */
  opened(isReadOnly: boolean): boolean {
    this.#live++
    if (this.failure !== null) {
      this.failure = null
      this.#signals.emit({ type: 'database-up' })
    }
    return this.reported(isReadOnly)
  }

  /**
   * A session was found to be read-only, or not to be any more.
   * @returns `true` if it can write although the session before it could not
   */
  reported(isReadOnly: boolean): boolean {
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

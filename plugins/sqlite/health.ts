import type { Signals } from '../../core/doors/plugin.ts'

/** Tells once each time when the file can no longer be opened, and when it can again. */
export class Health {
  readonly #signals: Signals
  #live = 0
  #isDown = false

  constructor(signals: Signals) {
    this.#signals = signals
  }

  /** @param endOf settles when what was opened is gone */
  async watch<T>(opening: Promise<T>, endOf: (opened: T) => Promise<void>): Promise<T> {
    try {
      const opened = await opening
      this.#live++
      void endOf(opened).then(() => this.#live--)
      if (this.#isDown) this.#signals.emit({ type: 'database-up' })
      this.#isDown = false
      return opened
    } catch (error) {
      if (this.#live === 0 && !this.#isDown) {
        this.#isDown = true
        this.#signals.emit({ type: 'database-down', error })
      }
      throw error
    }
  }
}

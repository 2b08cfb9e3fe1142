import type { Holdable } from './carrier.ts'

/**
 * Holds back what is written until all that the event loop has read in this turn is handled: the statements of many requests go
 * out in one write, and the server reads them at once.
 */
export class HeldWrites {
  #holding = false

  hold(stream: Holdable): void {
    if (this.#holding) return
    this.#holding = true
    stream.cork()
    setImmediate(this.#letGo, stream)
  }

  /** Is there a write that has not gone out yet? */
  get isHolding(): boolean {
    return this.#holding
  }

  readonly #letGo = (stream: Holdable): void => {
    this.#holding = false
    stream.uncork()
  }
}

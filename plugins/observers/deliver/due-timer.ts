/** Calls when something is due: at the earliest of the times that it was told. */
export class DueTimer {
  readonly #fire: () => void
  #timer: NodeJS.Timeout | null = null
  #dueAt = 0

  constructor(fire: () => void) {
    this.#fire = fire
  }

  schedule(delayMs: number): void {
    const at = Date.now() + delayMs
    if (this.#timer !== null && this.#dueAt <= at) return
    this.stop()
    this.#dueAt = at
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#fire()
    }, delayMs)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

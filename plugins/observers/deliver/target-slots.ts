/** How many calls of one target run at once. What waits beyond that is bounded too: who finds it full does without. */
export class TargetSlots {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #targets = new Map<string, { running: number; waiting: (() => void)[] }>()

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
  }

  /** @returns gives the slot back; `null`: too many wait for this target already */
  async take(target: string): Promise<(() => void) | null> {
    const state = this.#targets.get(target) ?? { running: 0, waiting: [] }
    this.#targets.set(target, state)
    if (state.running >= this.#most) {
      if (state.waiting.length >= this.#mostWaiting) return null
      await new Promise<void>((resolve) => state.waiting.push(resolve))
    } else state.running++
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      const next = state.waiting.shift()
      if (next !== undefined) return next()
      state.running--
      if (state.running === 0) this.#targets.delete(target)
    }
  }
}

/** Lets a loop sleep until a wake-up or a time limit. A wake-up before the sleep ends that sleep at once. */
export class Wake {
  #isCalled = false
  #resolve: (() => void) | null = null

  now(): void {
    this.#isCalled = true
    this.#resolve?.()
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isCalled) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.#resolve = resolve
        timer = setTimeout(resolve, ms)
      })
      clearTimeout(timer)
    }
    this.#resolve = null
    this.#isCalled = false
  }
}

/** Ids that were done before anybody waited for them. */
const MOST_DONE = 1000

/** Answers that wait until an event has been taken care of, in whichever process. */
export class SyncWaits {
  readonly #waiting = new Map<string, () => void>()
  readonly #done = new Set<string>()

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

  /** Resolves when it is done, or the time is over. */
  async of(id: string, timeoutMs: number): Promise<void> {
    if (this.#done.delete(id)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#waiting.set(id, () => {
        clearTimeout(timer)
        resolve()
      })
    })
    this.#waiting.delete(id)
  }
}

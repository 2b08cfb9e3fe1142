/**
 * Tracks events whose delivery is in progress, to find the position up to which all events are handled. Events may
 * finish in any order.
 */
export class Progress {
  readonly #open: { readonly position: string; isDone: boolean }[] = []
  #position: string
  #unfinished = 0

  constructor(position: string) {
    this.#position = position
  }

  /** Position up to which all events are handled. */
  get position(): string {
    return this.#position
  }

  /** Number of events that are not handled yet. */
  get open(): number {
    return this.#unfinished
  }

  /** Number of those events, plus the handled events behind the first of them. */
  get held(): number {
    return this.#open.length
  }

  /** @returns the function to call when the event is handled */
  begin(position: string): () => void {
    const entry = { position, isDone: false }
    this.#open.push(entry)
    this.#unfinished++
    return () => {
      if (entry.isDone) return
      entry.isDone = true
      this.#unfinished--
      let count = 0
      while (this.#open[count]?.isDone === true) this.#position = this.#open[count++]!.position
      if (count > 0) this.#open.splice(0, count)
    }
  }
}

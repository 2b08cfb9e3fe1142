/** Events that are on their way: how far everything is done, whatever is done first. */
export class Progress {
  readonly #open: { readonly position: string; isDone: boolean }[] = []
  #position: string
  #unfinished = 0

  constructor(position: string) {
    this.#position = position
  }

  /** The last one before which nothing is open. */
  get position(): string {
    return this.#position
  }

  /** Events that are not taken care of. */
  get open(): number {
    return this.#unfinished
  }

  /** Those, and the ones behind the first of them that are. */
  get held(): number {
    return this.#open.length
  }

  /** @returns call it when the event is taken care of */
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

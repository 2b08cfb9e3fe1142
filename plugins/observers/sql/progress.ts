/** Events that are on their way: how far everything is done, whatever is done first. */
export class Progress {
  readonly #open: { readonly position: string; isDone: boolean }[] = []
  #position: string

  constructor(position: string) {
    this.#position = position
  }

  /** The last one before which nothing is open. */
  get position(): string {
    return this.#position
  }

  get open(): number {
    return this.#open.length
  }

  /** @returns call it when the event is taken care of */
  begin(position: string): () => void {
    const entry = { position, isDone: false }
    this.#open.push(entry)
    return () => {
      entry.isDone = true
      let count = 0
      while (this.#open[count]?.isDone === true) this.#position = this.#open[count++]!.position
      if (count > 0) this.#open.splice(0, count)
    }
  }
}

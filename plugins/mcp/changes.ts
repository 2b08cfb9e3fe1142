/** Lists that clients may wait for. */
export type Changed = 'tools' | 'resources' | 'prompts'
export const CHANGED: readonly Changed[] = ['tools', 'resources', 'prompts']

/** Tells who waits that a list is another one now. */
export class Changes {
  readonly #listeners = new Set<(what: Changed) => void>()

  /** @returns ends it */
  listen(listener: (what: Changed) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(what: Changed): void {
    for (const listener of this.#listeners) listener(what)
  }
}

export const listChanged = (what: Changed): string => `notifications/${what}/list_changed`

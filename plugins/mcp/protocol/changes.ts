/** The MCP lists whose changes clients can subscribe to. */
export type Changed = 'tools' | 'resources' | 'prompts'
export const CHANGED: readonly Changed[] = ['tools', 'resources', 'prompts']

/** Event source for changes of the MCP lists in this process. Connections to clients listen to it. */
export class Changes {
  readonly #listeners = new Set<(what: Changed) => void>()

  /** @returns a function that removes the listener */
  listen(listener: (what: Changed) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(what: Changed): void {
    for (const listener of this.#listeners) listener(what)
  }
}

export const listChanged = (what: Changed): string => `notifications/${what}/list_changed`

import type { Library, Prepared } from './library.ts'

/** The statements that a connection keeps, by name; the one that was not used longest goes. */
export class PreparedStatements {
  readonly #library: Library
  readonly #limit: number
  /** The longest unused first. */
  readonly #prepared = new Map<string, Prepared>()

  constructor(library: Library, limit: number) {
    this.#library = library
    this.#limit = limit
  }

  /** @throws Fault: it is no statement */
  get(name: string, text: string): Prepared {
    const known = this.#prepared.get(name)
    if (known !== undefined) {
      this.#prepared.delete(name)
      this.#prepared.set(name, known)
      return known
    }
    const statement = this.#library.prepare(text)
    if (this.#prepared.size >= this.#limit) {
      const [[oldest, unused]] = this.#prepared as unknown as [[string, Prepared]]
      this.#prepared.delete(oldest)
      unused.finalize()
    }
    this.#prepared.set(name, statement)
    return statement
  }

  close(): void {
    for (const statement of this.#prepared.values()) statement.finalize()
    this.#prepared.clear()
  }
}

/** A statement that a connection has prepared, or is preparing. */
export interface PreparedName {
  readonly name: string
  /** `true` when the server has confirmed the preparation. Before that, the statement may not exist. */
  confirmed: boolean
  used: boolean
}

/**
 * Whether prepared statements are used. All connections share this object; it is turned off when a connection pooler is
 * detected.
 */
export interface PreparedMode {
  on: boolean
}

/**
 * Names of the statements that one connection has prepared, up to a maximum number. To prepare one more, another is
 * closed.
 */
export class PreparedNames {
  readonly #entries = new Map<string, PreparedName>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(name: string): PreparedName | undefined {
    const entry = this.#entries.get(name)
    if (entry !== undefined) entry.used = true
    return entry
  }

  add(name: string): PreparedName {
    const entry: PreparedName = { name, confirmed: false, used: false }
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    return entry
  }

  forget(entry: PreparedName): void {
    if (this.#entries.get(entry.name) === entry) this.#entries.delete(entry.name)
  }

  drop(name: string): void {
    this.#entries.delete(name)
  }

  /** Evicts the oldest name that was not used since the last pass. @returns the name; `null`: there is still room */
  evict(): string | null {
    if (this.#entries.size < this.#limit) return null
    for (const [name, entry] of this.#entries) {
      this.#entries.delete(name)
      if (!entry.used) return name
      entry.used = false
      this.#entries.set(name, entry)
    }
    return null
  }

  get size(): number {
    return this.#entries.size
  }
}

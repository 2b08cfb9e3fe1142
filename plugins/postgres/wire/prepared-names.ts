/** A statement that a connection was told to prepare. */
export interface PreparedName {
  readonly name: string
  /** The server answered a statement that came with its preparation. Until then it may not exist. */
  confirmed: boolean
  used: boolean
}

/** Whether statements are prepared at all; shared by all connections, and switched off by itself behind a pooler. */
export interface PreparedMode {
  on: boolean
}

/**
 * The statements that one connection has prepared, bounded. Messages on one connection are handled in order, so a
 * statement may be closed right before another one is prepared, whatever is still in flight.
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

  /** Makes room: the oldest that was not used since the last time round. @returns its name, `null` while there is room */
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

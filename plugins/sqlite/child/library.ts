import type { Failure, Value } from './protocol.ts'

/** Values of parameters by position (`?1` is the first), or by name with its prefix (`:name`). */
export type Bindings = readonly Value[] | Readonly<Record<string, Value>>

/** A SQLite connection, with the same interface for both libraries: `node:sqlite` and `node-sqlite3-wasm`. */
export interface Library {
  /** Prepares a SQL statement. @throws Fault for invalid SQL, or a text without a statement */
  prepare(sql: string): Prepared
  /**
   * Defines a SQL function, with as many arguments as `implementation` has parameters.
   * @param deterministic `true` if equal arguments give equal results, so that indexes can use it
   */
  define(name: string, implementation: (...values: Value[]) => Value, deterministic: boolean): void
  close(): void
}

export interface Prepared {
  columnNames(): readonly string[]
  /** Returns the declared type of each result column; `null`: the column is an expression, or the type is unknown. */
  columnTypes(): readonly (string | null)[]
  /** Begins to execute the statement with these parameter values. */
  start(bindings: Bindings): void
  /**
   * Returns the next row.
   * @returns `null` after the last row
   * @throws Fault
   */
  step(): readonly Value[] | null
  /** Drops the remaining rows and releases the locks of the statement. */
  reset(): void
  finalize(): void
}

/** An error in the child process of a SQLite connection, with the data that is sent to the parent process. */
export class Fault extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }

  static sqlite(result: number, message: string): Fault {
    return new Fault({ kind: 'sqlite', result, message })
  }
}

/**
 * The prepared statements of a SQLite connection, by name. Above a maximum, the least recently used one is finalized.
 */
export class PreparedStatements {
  readonly #library: Library
  readonly #limit: number
  /** Least recently used first. */
  readonly #prepared = new Map<string, Prepared>()

  constructor(library: Library, limit: number) {
    this.#library = library
    this.#limit = limit
  }

  /** @throws Fault when the text is no statement */
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

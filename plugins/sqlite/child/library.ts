import type { Failure, Value } from './protocol.ts'

/** By position (`?1` is the first), or by name with its prefix (`:name`). */
export type Bindings = readonly Value[] | Readonly<Record<string, Value>>

/** What the two SQLite libraries have in common. */
export interface Library {
  /** @throws Fault, also when the text holds no statement */
  prepare(sql: string): Prepared
  /** Defines an SQL function; its arguments are as many as the implementation names. */
  define(name: string, implementation: (...values: Value[]) => Value, deterministic: boolean): void
  close(): void
}

export interface Prepared {
  columnNames(): readonly string[]
  /** The declared type of each column that is a plain reference to one; `null` = an expression, or not known. */
  columnTypes(): readonly (string | null)[]
  /** Begins anew with these values. */
  start(bindings: Bindings): void
  /** @returns `null` after the last row. @throws Fault */
  step(): readonly Value[] | null
  /** Gives up what is left, and its locks. */
  reset(): void
  finalize(): void
}

/** Something failed; the parent is told. */
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

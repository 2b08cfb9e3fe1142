import { type Bindings, Fault, type Library, type Prepared } from './library.ts'
import type { Value } from './protocol.ts'

/** The used part of `node:sqlite`, which the types of the oldest supported Node do not have. */
interface NodeStatement {
  iterate(bindings: Readonly<Record<string, Value>>): Iterator<Value[]>
  columns(): readonly { readonly name: string; readonly type: string | null }[]
  setReadBigInts(on: boolean): void
  setReturnArrays(on: boolean): void
  setAllowUnknownNamedParameters(on: boolean): void
}
interface NodeDatabase {
  prepare(sql: string): NodeStatement
  function(
    name: string,
    options: { readonly deterministic: boolean; readonly useBigIntArguments: boolean },
    implementation: (...values: Value[]) => Value,
  ): void
  close(): void
}
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly: boolean }) => NodeDatabase
}

/**
 * Opens a database file with the SQLite library of Node.js (`node:sqlite`).
 * @param readOnly leaves the file as it is, byte for byte: a write-ahead log that another program has left is read, and not moved into the file
 * @throws Fault
 */
export function openNodeLibrary(file: string, readOnly: boolean): Library {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as NodeSqlite
  const database = attempt(() => (readOnly ? new DatabaseSync(file, { readOnly }) : new DatabaseSync(file)))
  return {
    prepare: (sql) => new NodePrepared(attempt(() => database.prepare(sql))),
    define(name, implementation, deterministic) {
      database.function(name, { deterministic, useBigIntArguments: true }, implementation)
    },
    close: () => database.close(),
  }
}

class NodePrepared implements Prepared {
  readonly #statement: NodeStatement
  #rows: Iterator<Value[]> | null = null

  constructor(statement: NodeStatement) {
    this.#statement = statement
    // node:sqlite detects a text without a statement only at its first use.
    attempt(() => statement.setReadBigInts(true))
    statement.setReturnArrays(true)
    statement.setAllowUnknownNamedParameters(true)
  }

  columnNames(): readonly string[] {
    return this.#statement.columns().map(({ name }) => name)
  }

  columnTypes(): readonly (string | null)[] {
    return this.#statement.columns().map(({ type }) => type)
  }

  start(bindings: Bindings): void {
    this.reset()
    // Always by name: older versions take `?1` for a name.
    const named: Record<string, Value> = {}
    if (Array.isArray(bindings)) for (let i = 0; i < bindings.length; i++) named[`?${i + 1}`] = bindings[i]
    else Object.assign(named, bindings)
    this.#rows = attempt(() => this.#statement.iterate(named))
  }

  step(): readonly Value[] | null {
    const rows = this.#rows
    if (rows === null) return null
    try {
      const next = rows.next()
      if (next.done !== true) return next.value
      this.#rows = null
      return null
    } catch (error) {
      this.reset()
      throw toFault(error)
    }
  }

  reset(): void {
    const rows = this.#rows
    this.#rows = null
    try {
      rows?.return?.()
    } catch {
      // SQLite's reset reports the failure of the statement again; without this the next run would get it.
    }
  }

  finalize(): void {
    this.reset()
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toFault(error)
  }
}

function toFault(error: unknown): Fault {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string }
  return Fault.sqlite(errcode ?? 1, message)
}

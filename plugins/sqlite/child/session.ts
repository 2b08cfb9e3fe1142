import type { Setting } from '../../../core/doors/driver.ts'
import { type Call, parseCall } from './call.ts'
import { FunctionFolder } from './function-folder.ts'
import { type Bindings, Fault, type Library, type Prepared, PreparedStatements } from './library.ts'
import type { Answer, CursorRequest, OpenRequest, RunRequest, Value } from './protocol.ts'
import { defineFunctions, type FunctionState } from './sql-functions.ts'
import { collect, writeSpool } from './statement-rows.ts'
import { statementsOf } from './tokens.ts'
import { toText } from './value-text.ts'

const PREPARED_LIMIT = 256
/** Limit on the bytes in a batch of a cursor, regardless of the number of rows. */
const BATCH_BYTES = 1_048_576
const NOTHING: Answer = { rows: [], columns: [], done: true }

/** Executes the requests of the parent process on one SQLite connection, in the child process. */
export class Session {
  readonly #library: Library
  readonly #functions: FunctionFolder
  readonly #state: FunctionState = { raised: null, settings: new Map() }
  readonly #prepared: PreparedStatements
  readonly #calls = new Map<string, Call | null>()
  #isReadOnly = false
  #inTransaction = false
  #cursor: { readonly statement: Prepared; readonly batchSize: number } | null = null

  constructor(library: Library, { reads, keepsMode, busyMs, functions, wasm }: OpenRequest) {
    this.#library = library
    this.#prepared = new PreparedStatements(library, PREPARED_LIMIT)
    this.#functions = new FunctionFolder(library, functions)
    this.#execute(`PRAGMA busy_timeout = ${Math.trunc(busyMs)}`)
    if (wasm === null && !reads && !keepsMode) this.#execute('PRAGMA journal_mode = WAL')
    this.#execute('PRAGMA foreign_keys = ON')
    // The two libraries are built with different defaults.
    this.#execute('PRAGMA recursive_triggers = OFF')
    // Reads the file, so that a file that is no database is detected here.
    this.#execute('SELECT count(*) FROM sqlite_schema')
    defineFunctions(library, this.#state)
  }

  run(request: RunRequest): Answer {
    const { text, name, parameters, readOnly, begin, settings, maxBytes } = request
    this.#setReadOnly(readOnly)
    if (begin !== null) this.#begin(begin)
    this.#set(settings)
    try {
      const call = this.#callOf(text)
      if (call !== null) return this.#inOneTransaction(() => this.#functions.call(call, parameters, maxBytes))
      if (name === null) return this.#runOnce(text, parameters, maxBytes)
      return collect(this.#prepared.get(name, text), parameters, maxBytes, false)
    } catch (error) {
      throw this.#explain(error)
    } finally {
      if (!this.#inTransaction) this.#state.settings = new Map()
    }
  }

  end(commit: boolean): Answer {
    this.#state.settings = new Map()
    if (!this.#inTransaction) return NOTHING
    try {
      if (commit) this.#execute('COMMIT')
    } catch (error) {
      throw this.#explain(error)
    } finally {
      this.#rollback(commit)
    }
    return NOTHING
  }

  /** Rolls back. SQLite may have ended the transaction itself already; after a failed commit it is still open. */
  #rollback(mayBeOver: boolean): void {
    this.#inTransaction = false
    try {
      this.#execute('ROLLBACK')
    } catch (error) {
      if (!mayBeOver && !/no transaction is active/.test(String(error))) throw error
    }
  }

  openCursor({ text, parameters, settings, batchSize }: CursorRequest): Answer {
    this.#setReadOnly(true)
    this.#begin('DEFERRED')
    this.#set(settings)
    try {
      const statement = this.#library.prepare(text)
      this.#cursor = { statement, batchSize }
      statement.start(parameters)
      return this.fetch()
    } catch (error) {
      this.leave()
      throw this.#explain(error)
    }
  }

  fetch(): Answer {
    const cursor = this.#cursor
    if (cursor === null) return NOTHING
    const rows: (string | null)[][] = []
    let bytes = 0
    try {
      while (rows.length < cursor.batchSize && bytes < BATCH_BYTES) {
        const values = cursor.statement.step()
        if (values === null) {
          this.leave()
          return { rows, columns: [], done: true }
        }
        const row = values.map(toText)
        for (const text of row) bytes += text?.length ?? 0
        rows.push(row)
      }
    } catch (error) {
      this.leave()
      throw this.#explain(error)
    }
    return { rows, columns: [], done: false }
  }

  leave(): Answer {
    this.#cursor?.statement.finalize()
    this.#cursor = null
    return this.end(false)
  }

  /** Writes the rows of a statement to a file. @param to file that is overwritten, a row in JSON per line */
  spool(text: string, parameters: readonly Value[], settings: readonly Setting[], to: string): Answer {
    this.#setReadOnly(true)
    this.#set(settings)
    let statement: Prepared | null = null
    try {
      statement = this.#library.prepare(text)
      statement.start(parameters)
      writeSpool(statement, to)
    } catch (error) {
      throw this.#explain(error)
    } finally {
      statement?.finalize()
      this.#state.settings = new Map()
    }
    return NOTHING
  }

  /** Runs all statements of a text, in one transaction unless it has its own. */
  script(sql: string): Answer {
    this.#setReadOnly(false)
    const statements = statementsOf(sql)
    const isOwn = statements.some(({ words }) => /^(BEGIN|COMMIT|END|VACUUM|ATTACH)$/.test(words[0] ?? ''))
    const runAll = (): Answer => {
      for (const { text, start } of statements) {
        try {
          this.#execute(text)
        } catch (error) {
          const { failure } = this.#explain(error)
          throw new Fault({ ...failure, position: start + 1 })
        }
      }
      return NOTHING
    }
    try {
      return isOwn ? runAll() : this.#inOneTransaction(runAll)
    } finally {
      // A dump disables foreign keys, and may have ended in the middle of its transaction.
      if (isOwn) this.#rollback(true)
      this.#execute('PRAGMA foreign_keys = ON')
    }
  }

  describe(names: readonly string[]): Answer {
    return { ...NOTHING, scripts: names.flatMap((name) => this.#functions.describe(name) ?? []) }
  }

  close(): Answer {
    if (this.#cursor !== null) this.leave()
    this.#prepared.close()
    this.#functions.close()
    this.#library.close()
    return NOTHING
  }

  /** Sets the settings until the end of the transaction, or of the statement without one. */
  #set(settings: readonly Setting[]): void {
    if (settings.length > 0) this.#state.settings = new Map(settings.map(({ name, value }) => [name, value]))
  }

  #setReadOnly(readOnly: boolean): void {
    if (readOnly === this.#isReadOnly) return
    this.#execute(`PRAGMA query_only = ${readOnly ? 'ON' : 'OFF'}`)
    this.#isReadOnly = readOnly
  }

  #begin(how: 'DEFERRED' | 'IMMEDIATE'): void {
    this.#execute(`BEGIN ${how}`)
    this.#inTransaction = true
  }

  #inOneTransaction<T>(work: () => T): T {
    if (this.#inTransaction) return work()
    this.#begin('IMMEDIATE')
    let succeeded = false
    try {
      const result = work()
      this.#execute('COMMIT')
      succeeded = true
      return result
    } finally {
      if (!succeeded) this.#rollback(true)
      this.#inTransaction = false
    }
  }

  #callOf(text: string): Call | null {
    let call = this.#calls.get(text)
    if (call === undefined) {
      if (this.#calls.size >= PREPARED_LIMIT) this.#calls.clear()
      call = parseCall(text)
      this.#calls.set(text, call)
    }
    return call
  }

  #runOnce(text: string, parameters: Bindings, maxBytes: number): Answer {
    const statement = this.#library.prepare(text)
    try {
      return collect(statement, parameters, maxBytes, true)
    } finally {
      statement.finalize()
    }
  }

  #execute(sql: string): void {
    this.#runOnce(sql, [], 0)
  }

  /** Converts a failure for the parent process. The error of `svc_raise` replaces the errors that followed from it. */
  #explain(error: unknown): Fault {
    const { raised } = this.#state
    this.#state.raised = null
    const fault = error instanceof Fault ? error : Fault.sqlite(1, String(error))
    if (raised === null) return fault
    return new Fault({ ...fault.failure, kind: 'raised', result: 1, message: raised.message, code: raised.code })
  }
}

import {
  abortedError,
  type Session,
  type TransactionOptions,
  unavailable,
  unknownAtDeadline,
  unknownOutcome,
} from '../../core/doors/driver.ts'
import { type Parameter, type Rows, type Statement, SvcError } from '../../core/doors/plugin.ts'
import type { Connection } from './connection.ts'
import { type PositionalSql, toBound, toPositional } from './placeholders.ts'
import { isConnectionError, isReadOnlyServer, readFailure, readOnlyServer } from './read-error.ts'
import { isReadOnlySetting, variablesOf } from './settings.ts'

interface TransactionParts {
  readonly connection: Connection
  readonly prepares: boolean
  /** Gives the connection back. */
  readonly release: () => void
  /** The server has refused a write, because it is read-only. */
  readonly onReadOnly: () => void
}

/**
 * A transaction on a reserved connection. START TRANSACTION and settings are sent before the first statement, so a
 * transaction without statements sends nothing.
 */
export class Transaction implements Session {
  readonly #connection: Connection
  readonly #prepares: boolean
  readonly #release: () => void
  readonly #onReadOnly: () => void
  readonly #options: TransactionOptions
  readonly #unwatch: (() => void) | null
  #begun = false
  #over = false
  #committing = false
  /** Set when the request was aborted. */
  #aborted: SvcError | null = null
  /** The first error of a statement. PostgreSQL refuses all further statements of such a transaction. */
  #failed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor({ connection, prepares, release, onReadOnly }: TransactionParts, options: TransactionOptions) {
    this.#connection = connection
    this.#prepares = prepares
    this.#release = release
    this.#onReadOnly = onReadOnly
    this.#options = options
    const { cancel } = options
    this.#unwatch = cancel ? cancel.onAbort(() => this.#abort()) : null
  }

  /** Statements run one after the other, in the order of the calls. */
  query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows> {
    const rows = this.#last.then(() => this.#query(statement, parameters))
    this.#last = rows.catch(() => {})
    return rows
  }

  async #query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows> {
    if (this.#aborted !== null) throw this.#aborted
    if (this.#over) throw new SvcError('TRANSACTION_FAILED', 'The transaction is over; its session cannot be used.')
    if (this.#failed) throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed before.')
    const sql = toPositional(statement.text)
    const values = toBound(sql, parameters)
    try {
      await this.#begin()
      const rows = await this.#run(sql, values, this.#prepares && statement.name !== null)
      if (statement.resets === true) this.#connection.distrustSession()
      return rows
    } catch (error) {
      this.#failed = true
      throw this.#read(error)
    }
  }

  async #begin(): Promise<void> {
    if (this.#begun) return
    const { settings = [], snapshot = false } = this.#options
    const readOnly = this.#options.readOnly === true || settings.some(isReadOnlySetting)
    await this.#connection.prepareFor(
      {
        readOnly: false,
        snapshot,
        variables: variablesOf(settings),
      },
      this.#options.cancel ?? null,
    )
    this.#begun = true
    if (snapshot) await this.#control(this.#connection.facts.isMariaDb ? SNAPSHOT : SERIALIZABLE)
    await this.#control(readOnly ? BEGIN_READ_ONLY : BEGIN)
  }

  #run(sql: PositionalSql, values: readonly (string | null)[], keep: boolean): Promise<Rows> {
    return this.#connection.run(sql, values, { cancel: null, keep })
  }

  #control(text: string): Promise<Rows> {
    return this.#connection.run({ text, order: [], isCall: false }, [], { cancel: null, keep: false, isPlain: true })
  }

  #read(error: unknown): unknown {
    if (this.#aborted !== null) return this.#aborted
    const failure = readFailure(error)
    if (!isReadOnlyServer(failure)) return failure
    this.#onReadOnly()
    return readOnlyServer(failure)
  }

  #abort(): void {
    const { cancel = null } = this.#options
    // COMMIT is quick, and listeners for changes need its outcome even when the client has disconnected.
    if (this.#committing && cancel?.abortReason === 'client') return
    const error = this.#committing ? unknownAtDeadline() : abortedError(cancel)
    this.#aborted = error
    this.#connection.abandon(error)
  }

  /**
   * @throws SvcError TRANSACTION_FAILED when a statement had failed and the failure was swallowed;
   * SERVICE_UNAVAILABLE, TIMEOUT with `outcome: unknown` when the connection broke, or the deadline came, during COMMIT
   */
  async commit(): Promise<void> {
    await this.#last
    if (this.#aborted !== null) throw this.#aborted
    if (!this.#begun) return this.#end()
    if (this.#failed) {
      throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed; nothing was written.')
    }
    // The server has rolled back, because the connection ended before the COMMIT.
    if (this.#connection.broken) throw unavailable('The connection to the database broke.')
    this.#over = true
    this.#committing = true
    try {
      await this.#control('COMMIT')
    } catch (error) {
      this.#committing = false
      if (this.#aborted !== null) throw this.#aborted
      if (isConnectionError(error)) throw unknownOutcome(error)
      await this.#rollBack()
      throw this.#read(error)
    } finally {
      this.#end()
    }
  }

  /** Never throws. A connection that cannot roll back is closed, and the server then rolls back. */
  async rollback(): Promise<void> {
    if (this.#over) return
    this.#over = true
    if (!this.#begun) return this.#end()
    const rolledBack = this.#rollBackWhenQuiet()
    // An aborted caller does not wait until the server has ended the statement.
    if (this.#aborted === null) await rolledBack
  }

  async #rollBackWhenQuiet(): Promise<void> {
    await new Promise<void>((resolve) => this.#connection.onQuiet(resolve))
    await this.#rollBack()
    this.#end()
  }

  async #rollBack(): Promise<void> {
    if (this.#connection.broken) return
    try {
      await this.#control('ROLLBACK')
    } catch {
      this.#connection.destroy()
    }
  }

  #end(): void {
    this.#over = true
    this.#unwatch?.()
    this.#release()
  }
}

const BEGIN = 'START TRANSACTION'
const BEGIN_READ_ONLY = 'START TRANSACTION READ ONLY'
const SNAPSHOT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ'
const SERIALIZABLE = 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE'

import {
  abortedError,
  BEGIN,
  BEGIN_READ_ONLY,
  BEGIN_SNAPSHOT,
  type Cancellable,
  COMMIT,
  ROLLBACK,
  type Session,
  type SessionPool,
  type TransactionOptions,
  unavailable,
  unknownAtDeadline,
  unknownOutcome,
} from '../../../core/doors/driver.ts'
import { type Parameter, type Rows, type Statement, SvcError } from '../../../core/doors/plugin.ts'
import type { Planning } from '../costs/plan-choice.ts'
import type { Connection } from '../wire/connection.ts'
import { isReadOnlyRefusal, isServerError, isShutdown, isStalePreparation } from '../wire/driver-errors.ts'
import { RunningStatement } from '../wire/running-statement.ts'

/**
 * A transaction on a reserved connection. BEGIN and settings are sent with the first statement, so a transaction
 * without statements sends nothing.
 */
export class Transaction implements Session {
  readonly #connection: Connection
  readonly #pool: SessionPool<Connection>
  readonly #options: TransactionOptions
  readonly #onPoolerFound: (error: unknown) => void
  readonly #planningOf: (statement: Statement) => Planning | null
  readonly #unwatch: (() => void) | null
  #statements = 0
  #aborted: SvcError | null = null
  #over = false
  #committing = false

  constructor(
    connection: Connection,
    pool: SessionPool<Connection>,
    options: TransactionOptions,
    onPoolerFound: (error: unknown) => void,
    planningOf: (statement: Statement) => Planning | null,
  ) {
    this.#connection = connection
    this.#pool = pool
    this.#options = options
    this.#onPoolerFound = onPoolerFound
    this.#planningOf = planningOf
    const { cancel } = options
    this.#unwatch = cancel ? cancel.onAbort(() => this.#abort(cancel)) : null
  }

  async query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows> {
    if (this.#aborted !== null) throw this.#aborted
    if (this.#over) throw new SvcError('TRANSACTION_FAILED', 'The transaction is over; its session cannot be used.')
    const isFirst = this.#statements++ === 0
    try {
      return (await this.#run(statement, parameters, isFirst, false)).rows
    } catch (error) {
      // No earlier statement of this transaction has run, so that it can begin again.
      if (!isFirst || this.#statements > 1 || !isStalePreparation(error, statement)) throw error
      this.#onPoolerFound(error)
      await this.#run(ROLLBACK, [], false, true)
      return (await this.#run(statement, parameters, true, true)).rows
    }
  }

  #run(
    statement: Statement,
    parameters: readonly Parameter[],
    begin: boolean,
    fresh: boolean,
  ): Promise<{ readonly rows: Rows; readonly tag: string }> {
    return new Promise((resolve, reject) => {
      if (this.#connection.broken) return reject(unavailable('The connection to the database broke.'))
      const running: RunningStatement = new RunningStatement(
        statement,
        parameters,
        null,
        (rows) => resolve({ rows: rows as Rows, tag: running.tag }),
        reject,
      )
      running.fresh = fresh
      running.planning = this.#planningOf(statement)
      if (begin) {
        running.begin = beginOf(this.#options)
        const { settings } = this.#options
        if (settings !== undefined && settings.length > 0) running.settings = settings
      }
      if (statement === COMMIT) running.reset = 'behind'
      running.inTransaction = statement !== ROLLBACK
      this.#connection.run(running, performance.now())
    })
  }

  #abort(cancel: Cancellable): void {
    // COMMIT is quick, and listeners for changes need its outcome even when the client has disconnected.
    if (this.#committing && cancel.abortReason === 'client') return
    const error = this.#committing ? unknownAtDeadline() : abortedError(cancel)
    this.#aborted = error
    this.#connection.abortAll(() => error)
  }

  /**
   * @throws SvcError TRANSACTION_FAILED when a statement had failed and the failure was swallowed;
   * SERVICE_UNAVAILABLE, TIMEOUT with `outcome: unknown` when the connection broke, or the deadline came, during COMMIT
   */
  async commit(): Promise<void> {
    if (this.#aborted !== null) throw this.#aborted
    if (this.#statements === 0) return this.#end()
    this.#over = true
    this.#committing = true
    let tag: string
    try {
      tag = (await this.#run(COMMIT, [], false, false)).tag
    } catch (error) {
      if (isServerError(error) || this.#aborted !== null) throw error
      const { cause } = error as Error
      throw isShutdown(cause) || isReadOnlyRefusal(cause) ? error : unknownOutcome(error)
    } finally {
      this.#end()
    }
    if (tag === 'COMMIT') return
    throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed; nothing was written.')
  }

  /** Never throws. A connection that cannot roll back is destroyed, and the server then rolls back. */
  async rollback(): Promise<void> {
    if (this.#over) return
    this.#over = true
    if (this.#statements === 0) return this.#end()
    const rolledBack = this.#rollBackWhenQuiet()
    // An aborted caller does not wait until the server has ended the statement.
    if (this.#aborted === null) await rolledBack
  }

  async #rollBackWhenQuiet(): Promise<void> {
    await new Promise<void>((resolve) => this.#connection.onQuiet(resolve))
    try {
      if (!this.#connection.broken) await this.#run(ROLLBACK, [], false, false)
    } catch {
      this.#connection.destroy()
    }
    this.#end()
  }

  #end(): void {
    this.#over = true
    this.#unwatch?.()
    this.#pool.release(this.#connection)
  }
}

function beginOf({ readOnly, snapshot }: TransactionOptions): Statement {
  if (readOnly === true) return BEGIN_READ_ONLY
  return snapshot === true ? BEGIN_SNAPSHOT : BEGIN
}

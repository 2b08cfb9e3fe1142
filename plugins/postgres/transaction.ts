import {
  BEGIN,
  BEGIN_READ_ONLY,
  type Cancellable,
  COMMIT,
  type Parameter,
  ROLLBACK,
  type Rows,
  type Session,
  type Statement,
  SvcError,
  type TransactionOptions,
} from '../../core/index.ts'
import type { Connection } from './connection.ts'
import { abortedError, isServerError, unavailable } from './driver-errors.ts'
import { isStalePreparation } from './retry.ts'
import { RunningStatement } from './running-statement.ts'
import type { SessionPool } from './session-pool.ts'

/**
 * A transaction on a connection of its own. BEGIN and the settings go out with the first statement, in one round trip;
 * a transaction without statements sends nothing.
 */
export class Transaction implements Session {
  readonly #connection: Connection
  readonly #pool: SessionPool
  readonly #options: TransactionOptions
  readonly #onPoolerFound: (error: unknown) => void
  readonly #unwatch: (() => void) | null
  #statements = 0
  #aborted: SvcError | null = null
  #over = false

  constructor(
    connection: Connection,
    pool: SessionPool,
    options: TransactionOptions,
    onPoolerFound: (error: unknown) => void,
  ) {
    this.#connection = connection
    this.#pool = pool
    this.#options = options
    this.#onPoolerFound = onPoolerFound
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
      // Nothing else has happened in this transaction yet, so it may as well begin again.
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
      if (begin) {
        running.begin = this.#options.readOnly === true ? BEGIN_READ_ONLY : BEGIN
        const { settings } = this.#options
        if (settings !== undefined && settings.length > 0) running.settings = settings
      }
      if (statement === COMMIT) running.reset = 'behind'
      running.inTransaction = statement !== ROLLBACK
      this.#connection.run(running, performance.now())
    })
  }

  #abort(cancel: Cancellable): void {
    const error = abortedError(cancel)
    this.#aborted = error
    this.#connection.abortAll(() => error)
  }

  /**
   * @throws SvcError TRANSACTION_FAILED when a statement had failed and the failure was swallowed;
   * SERVICE_UNAVAILABLE when the connection broke: nobody knows then whether it was written
   */
  async commit(): Promise<void> {
    if (this.#aborted !== null) throw this.#aborted
    if (this.#statements === 0) return this.#end()
    this.#over = true
    let tag: string
    try {
      tag = (await this.#run(COMMIT, [], false, false)).tag
    } catch (error) {
      if (isServerError(error) || this.#aborted !== null) throw error
      throw unavailable(
        'The connection broke during COMMIT: it is not known whether the transaction was written.',
        error,
      )
    } finally {
      this.#end()
    }
    if (tag === 'COMMIT') return
    throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed; nothing was written.')
  }

  /** Never throws: a connection that cannot roll back is cut, which rolls back too. */
  async rollback(): Promise<void> {
    if (this.#over) return
    this.#over = true
    if (this.#statements === 0) return this.#end()
    const rolledBack = this.#rollBackWhenQuiet()
    // An aborted caller does not wait until the server has let go of the statement.
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

import type { Cancellable, LentRow, Parameter, Rows, Setting, Signals, Statement } from '../../core/index.ts'
import type { Connection } from './connection.ts'
import { abortedError, isConnectionError, unavailable } from './driver-errors.ts'
import type { Health } from './health.ts'
import type { Lanes } from './lanes.ts'
import type { PreparedMode } from './prepared-names.ts'
import { isCancelled, isPoolerSign, isStalePreparation } from './retry.ts'
import { RunningStatement } from './running-statement.ts'
import type { SessionPool } from './session-pool.ts'
import { SLOW_MS, StatementCosts } from './statement-costs.ts'

/** A statement whose connection broke, or whose preparation was stale, is sent at most this often. */
const MAX_ATTEMPTS = 2

/** Decides on which connection a plain statement runs, and whether it runs again. */
export class Dispatcher {
  readonly #lanes: Lanes
  readonly #pool: SessionPool
  readonly #health: Health
  readonly #mode: PreparedMode
  readonly #signals: Signals
  readonly #costs = new StatementCosts()
  readonly #retry = (statement: RunningStatement, error: unknown) => this.#runAgain(statement, error)
  closing = false

  constructor(lanes: Lanes, pool: SessionPool, health: Health, mode: PreparedMode, signals: Signals) {
    this.#lanes = lanes
    this.#pool = pool
    this.#health = health
    this.#mode = mode
    this.#signals = signals
  }

  run(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings: readonly Setting[] | undefined,
  ): Promise<Rows> {
    return this.#start(statement, parameters, cancel, settings, null) as Promise<Rows>
  }

  readRow<T>(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    take: (row: LentRow) => T,
  ): Promise<T | null> {
    return this.#start(statement, parameters, cancel, undefined, take) as Promise<T | null>
  }

  /** @returns `Rows`, or what `take` returned */
  #start(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings: readonly Setting[] | undefined,
    take: ((row: LentRow) => unknown) | null,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const cost = statement.name === null ? null : this.#costs.get(statement.name)
      const running = new RunningStatement(statement, parameters, cost, resolve, reject)
      running.retry = this.#retry
      running.take = take
      if (settings !== undefined && settings.length > 0) running.settings = settings
      if (cancel !== null) {
        running.cancel = cancel
        if (cancel.aborted) return running.fail(abortedError(cancel))
        cancel.onAbort = aborter(running, cancel)
      }
      this.#send(running)
    })
  }

  #send(running: RunningStatement): void {
    if (this.closing) {
      running.fail(unavailable('The service is closing.'))
    } else if (this.#health.failure !== null && this.#lanes.count > 0) {
      running.fail(unavailable('The database cannot be reached.', this.#health.failure))
    } else {
      const now = performance.now()
      // Of a statement that is not prepared nothing is known: it is none of the many small ones.
      const isSmall = running.cost !== null && running.cost.ms < SLOW_MS && !running.alone
      // A write that waits for a connection of its own can be refused in time; one that was sent cannot.
      const desperate = running.statement.readOnly === true && !this.#pool.hasRoom
      const lane = isSmall ? this.#lanes.choose(now, desperate) : null
      if (lane !== null) lane.run(running, now)
      else void this.#sendOnSession(running)
    }
  }

  async #sendOnSession(running: RunningStatement): Promise<void> {
    const { cancel } = running
    let connection: Connection
    try {
      connection = await this.#pool.acquire(cancel)
    } catch (error) {
      return running.fail(error)
    }
    if (cancel !== null) {
      if (cancel.aborted) {
        this.#pool.release(connection)
        return running.fail(abortedError(cancel))
      }
      cancel.onAbort = aborter(running, cancel)
    }
    connection.run(running, performance.now())
    this.#pool.release(connection)
  }

  #runAgain(running: RunningStatement, error: unknown): boolean {
    if (this.closing) return false
    if (isCancelled(error)) {
      if (running.alone || running.connection?.cancelledLately !== true) return false
      running.alone = true
    } else if (running.attempts >= MAX_ATTEMPTS) {
      return false
    } else if (isConnectionError(error)) {
      if (running.statement.readOnly !== true) return false
    } else if (isStalePreparation(error, running.statement)) {
      if (running.reliedOnConfirmed) this.notePooler(error)
      running.fresh = true
    } else {
      return false
    }
    running.reset()
    this.#send(running)
    return true
  }

  /** Stops preparing statements when the error shows that somebody between us and the server swaps connections. */
  notePooler(error: unknown): void {
    if (!this.#mode.on || !isPoolerSign(error)) return
    this.#mode.on = false
    this.#signals.emit({
      type: 'prepared-statements-off',
      reason:
        'The server does not keep prepared statements (a pooler in transaction mode?). Set ' +
        'database.prepared_statements = false to start without them.',
    })
  }
}

/**
 * Made here and not where it is used: there it would hold the scope of the promise, and through it the collector moved
 * every request to its old space, which cost a tenth of the processor and 60 MB.
 */
function aborter(running: RunningStatement, cancel: Cancellable): () => void {
  return () => abort(running, cancel)
}

function abort(running: RunningStatement, cancel: Cancellable): void {
  if (running.connection === null) running.fail(abortedError(cancel))
  else running.connection.abort(running)
}

import {
  abortedError,
  type Cancellable,
  type Health,
  type LentRow,
  mayChangeSession,
  type SessionPool,
  type Setting,
  unavailable,
} from '../../../core/doors/driver.ts'
import type { Parameter, Rows, Signals, Statement } from '../../../core/doors/plugin.ts'
import { isWorthOwn, maySharePlace, SLOW_MS, StatementCosts } from '../costs/statement-costs.ts'
import type { SessionSetters } from '../session/session-setters.ts'
import type { Connection } from '../wire/connection.ts'
import { isCancelled, isConnectionError, isPoolerSign, isStalePreparation } from '../wire/driver-errors.ts'
import type { PreparedMode } from '../wire/prepared-names.ts'
import { RunningStatement } from '../wire/running-statement.ts'
import type { Lanes } from './lanes.ts'
import { PlanChooser, type PlanChooserOptions } from './plan-chooser.ts'
import { SessionSender } from './session-sender.ts'
import { StatementQueue } from './statement-queue.ts'

/** A statement whose connection broke, or whose preparation was stale, is sent at most this often. */
const MAX_ATTEMPTS = 2

interface DispatcherOptions {
  /** How long a statement may wait for a connection. */
  readonly waitTimeoutMs: number
  readonly plans: Omit<PlanChooserOptions, 'hasRoom'>
  readonly setters: SessionSetters
}

/**
 * Chooses a connection for each statement outside of a transaction: a shared one, or one of its own. Also decides
 * whether a failed statement is run again.
 */
export class Dispatcher {
  readonly #lanes: Lanes
  readonly #pool: SessionPool<Connection>
  readonly #health: Health
  readonly #mode: PreparedMode
  readonly #signals: Signals
  readonly #costs: StatementCosts
  readonly #sessions: SessionSender
  readonly #setters: SessionSetters
  readonly #queue = new StatementQueue()
  readonly #waitTimeoutMs: number
  #whenEmpty: (() => void) | null = null
  #timer: NodeJS.Timeout | null = null
  readonly #plans: PlanChooser
  readonly #retry = (statement: RunningStatement, error: unknown) => this.#runAgain(statement, error)
  closing = false

  constructor(
    lanes: Lanes,
    pool: SessionPool<Connection>,
    health: Health,
    mode: PreparedMode,
    signals: Signals,
    { waitTimeoutMs, plans, setters }: DispatcherOptions,
  ) {
    this.#lanes = lanes
    this.#waitTimeoutMs = waitTimeoutMs
    this.#setters = setters
    this.#plans = new PlanChooser({ ...plans, hasRoom: () => pool.hasRoom && !this.closing }, mode, signals)
    lanes.onRoom = () => this.#sendWaiting()
    lanes.onStuck = (connection) => this.#sendElsewhere(connection)
    this.#costs = new StatementCosts(lanes.count, lanes.count + pool.max)
    this.#pool = pool
    this.#sessions = new SessionSender(pool)
    this.#sessions.onEnd = () => this.#sendWaiting()
    this.#sessions.onSmall = (running) => this.#send(running)
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
    settings: readonly Setting[] | undefined,
  ): Promise<T | null> {
    return this.#start(statement, parameters, cancel, settings, take) as Promise<T | null>
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
      if (statement.selective === true) running.planning = this.#plans.next(statement, cost, parameters, settings)
      if (mayChangeSession(statement) && (statement.functionCall !== true || this.#setters.mayExist))
        running.reset = running.settings === null ? 'within' : 'behind'
      if (cancel !== null) {
        if (cancel.aborted) return running.fail(abortedError(cancel))
        running.watch(cancel)
      }
      // Statements that were accepted earlier are still run, including those that are sent again.
      if (this.closing) running.fail(unavailable('The service is closing.'))
      else this.#send(running)
    })
  }

  /** Planning of the next run of a statement; `null`: as the session is set. */
  planningOf({ name, selective }: Statement): 'values' | 'generic' | null {
    return selective === true ? this.#plans.current(name, name === null ? null : this.#costs.get(name)) : null
  }

  #send(running: RunningStatement): void {
    if (this.#health.failure !== null && this.#lanes.count > 0) {
      running.fail(this.#unreachable())
    } else {
      running.sentAt = performance.now()
      const { cost } = running
      const isRead = running.statement.readOnly === true
      // Unprepared statements have no known cost, so they do not share connections.
      if (cost === null || running.alone || this.#lanes.count === 0 || !maySharePlace(cost, isRead)) {
        this.#sessions.sendInTurn(running)
        return
      }
      this.#queue.push(running)
      if (this.#queue.length === 1) this.#sendWaiting()
    }
  }

  #unreachable(): unknown {
    return unavailable('The database cannot be reached.', this.#health.failure)
  }

  get waiting(): number {
    return this.#queue.length + this.#sessions.waiting
  }

  /** Sends each waiting statement on the first connection with room: a slow statement delays only the few sent behind it. */
  #sendWaiting(): void {
    if (this.waiting > 0) {
      const now = performance.now()
      this.#queue.failOverdue(now - this.#waitTimeoutMs, noneFree)
      this.#sessions.failOverdue(now - this.#waitTimeoutMs, noneFree)
      if (this.#health.failure !== null) this.#queue.failOverdue(now, () => this.#unreachable())
      for (let running = this.#queue.peek(); running !== null; running = this.#queue.peek()) {
        const lane = this.#lanes.choose(now, running.cost!, running.statement.readOnly === true)
        const own = lane?.isFull && this.#mayHaveOwn(running)
        if (lane === null || (lane.isFull && !own)) {
          this.#lookAgain()
          return
        }
        this.#queue.shift()
        if (own) void this.#sessions.send(running)
        else lane.run(running, now)
      }
    }
    if (this.waiting === 0) this.#whenEmpty?.()
  }

  /** Moves reads from a connection whose head is blocked, or whose session settings have changed, to other connections. */
  #sendElsewhere(connection: Connection): void {
    const reads = connection.takeReads()
    if (reads.length === 0) return
    this.#queue.unshift(reads)
    this.#sendWaiting()
  }

  #mayHaveOwn({ cost }: RunningStatement): boolean {
    return this.#pool.hasRoom && cost !== null && isWorthOwn(cost) && cost.spread.mayWiden(true)
  }

  /** Checks again later, because a connection with a blocked head emits no event. */
  #lookAgain(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#sendWaiting()
    }, SLOW_MS)
  }

  /** Accepts no more statements. Resolves when no statement waits for a connection. */
  close(): Promise<void> {
    this.closing = true
    if (this.waiting === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#whenEmpty = resolve
    })
  }

  #runAgain(running: RunningStatement, error: unknown): boolean {
    if (this.closing) return false
    if (isCancelled(error)) {
      if (running.alone || running.connection?.cancelledLately !== true) return false
      running.alone = true
    } else if (running.attempts === MAX_ATTEMPTS && running.fresh && isStalePreparation(error, running.statement)) {
      // PgBouncer with max_prepared_statements answers a new preparation of the same text with the old one.
      this.#stopPreparing('A pooler keeps plans of a view that has changed. Reconnect it (RECONNECT) after migrations.')
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
    running.renew()
    this.#send(running)
    return true
  }

  /** Stops preparing statements when an error shows that a pooler between svc and the server swaps connections. */
  notePooler(error: unknown): void {
    if (!isPoolerSign(error)) return
    this.#stopPreparing(
      'The server does not keep prepared statements (a pooler in transaction mode?). Set ' +
        'database.prepared_statements = false to start without them.',
    )
  }

  #stopPreparing(reason: string): void {
    if (!this.#mode.on) return
    this.#mode.on = false
    this.#signals.emit({ type: 'prepared-statements-off', reason })
  }
}

const noneFree = (): unknown => unavailable('No database connection was free in time.')

import type pg from 'pg'
import { abortedError } from '../../../core/doors/driver.ts'
import type { LaneUse } from '../costs/lane-use.ts'
import { idleTime, isSmall, recordDuration, SLOW_MS } from '../costs/statement-costs.ts'
import type { Carrier } from './carrier.ts'
import { destroyUnlessEnded } from './destroy-unless-ended.ts'
import { isConnectionError, isReadOnlyRefusal, readOnlyServer } from './driver-errors.ts'
import { HeadCanceller } from './head-canceller.ts'
import { type PreparedMode, PreparedNames } from './prepared-names.ts'
import type { ReportedParameters } from './reported-parameters.ts'
import { ReportingSession } from './reported-parameters.ts'
import { RunningStatement } from './running-statement.ts'
import { RESET_ROLE } from './session-reset.ts'

const PREPARED_LIMIT = 256
const MIN_IN_FLIGHT = 2
const FULL_MS = 8
/** A PostgreSQL connection and the statements in flight on it, oldest first. The server executes them in this order. */
export class Connection extends ReportingSession implements Carrier<RunningStatement> {
  readonly client: pg.Client
  readonly mode: PreparedMode
  readonly names = new PreparedNames(PREPARED_LIMIT)
  head: RunningStatement | null = null
  inFlight = 0
  /** Expected duration of all statements in flight, in milliseconds. */
  load = 0
  /** Has the head been found blocked? Set by `Lanes`. */
  stuck = false
  idleSince = 0
  /** Use of the shared connections; `null` on a connection that is lent to one caller. */
  use: LaneUse | null = null
  /** Called when a statement has ended, if others may wait for its slot. */
  onRoom: (() => void) | null = null
  /** Called when the connection becomes unusable. */
  onSpoilt: ((connection: Connection) => void) | null = null
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>
  #tail: RunningStatement | null = null
  #lastFinish = 0
  #idleAtLastFinish = 0
  readonly #canceller = new HeadCanceller(this, () => this.#checkQuiet())
  #whenQuiet: (() => void)[] = []

  constructor(client: pg.Client, reported: ReportedParameters, mode: PreparedMode) {
    super(reported)
    this.client = client
    this.mode = mode
    client.on('error', () => this.destroy())
    // With statements in flight, `finish` retires the connection.
    reported.onChange = () => {
      if (this.quiet && reported.areChanged) this.retire()
    }
    this.ended = new Promise((resolve) => {
      client.once('end', () => {
        // `pg` fails the statements in flight, each in its own tick.
        this.broken = true
        resolve()
      })
    })
  }

  /** May a further statement be sent? Not while a cancel request is pending, since it could hit that statement. */
  get ready(): boolean {
    return !this.broken && !this.spoilt && !this.#canceller.isActive
  }

  get quiet(): boolean {
    return this.inFlight === 0 && !this.#canceller.isActive
  }

  /** Time since which the server has worked on the head. `performance.now()` */
  get headSince(): number {
    return this.head === null ? Number.POSITIVE_INFINITY : Math.max(this.#lastFinish, this.head.sentAt)
  }

  run(statement: RunningStatement, now: number): void {
    statement.connection = this
    statement.attempts++
    statement.sentAt = now
    statement.idleAtSend = idleTime()
    statement.expectedMs = statement.cost === null ? 0 : statement.cost.ms
    this.load += statement.expectedMs
    this.inFlight++
    if (this.#tail === null) this.head = statement
    else this.#tail.next = statement
    this.#tail = statement
    this.client.query(statement as unknown as pg.Submittable)
    // Deferred triggers see the settings of their transaction, so that it has to end before the settings are reset.
    if (statement.reset === 'behind') this.#resetBehind(now)
  }

  #resetBehind(now: number): void {
    const failed = (): void => this.destroy()
    const reset = new RunningStatement(RESET_ROLE, [], null, () => {}, failed)
    reset.reset = 'within'
    this.run(reset, now)
  }

  /**
   * Handles the end of the head. A duration above the estimate is attributed to the server only if this process was idle
   * meanwhile, or had read all input. Otherwise the answer may have waited in this process: a thousand clients that connect at
   * once would make every statement look slow.
   */
  finish(statement: RunningStatement): void {
    const now = performance.now()
    const idle = idleTime()
    const { cost } = statement
    if (cost !== null) {
      if (statement.isStuck) cost.stuck--
      statement.isStuck = false
      const elapsed = now - Math.max(this.#lastFinish, statement.sentAt)
      const waited = idle - Math.max(this.#idleAtLastFinish, statement.idleAtSend)
      cost.spread.record(elapsed, isSmall(cost))
      this.use?.record(cost.typical, elapsed, statement.sentAt, now)
      const isServers = elapsed < cost.ms || elapsed < SLOW_MS || waited >= SLOW_MS || this.stuck
      if (isServers) recordDuration(cost, elapsed)
      if (isServers && statement.planning !== null && !statement.abandoned)
        cost.plan?.record(statement.planning, elapsed)
    }
    this.#lastFinish = now
    this.#idleAtLastFinish = idle
    this.head = statement.next
    // A finished statement in the old space of the garbage collector would keep all later ones alive.
    statement.next = null
    if (this.head === null) this.#tail = null
    this.inFlight--
    this.load = this.inFlight === 0 ? 0 : this.load - statement.expectedMs
    this.stuck = false
    this.#canceller.drop()
    if (this.head?.abandoned === true) this.#canceller.cancel()
    if (this.reported.areChanged && statement.isLast && !this.spoilt) this.#spoil()
    this.onRoom?.()
    this.#checkQuiet()
  }

  /**
   * Handles an error of the server. The connection is not used again after an error of the connection or of a read-only server.
   * @returns the error for the caller of the statement
   */
  heard(error: unknown, { readOnly }: RunningStatement['statement']): unknown {
    if (isConnectionError(error)) this.destroy()
    if (readOnly === true || !isReadOnlyRefusal(error) || !this.reported.mayBeReadOnly) return error
    this.distrust()
    return this.isReadOnly ? readOnlyServer(error) : error
  }

  /** Takes the connection out of use, and closes it when the statements in flight have ended. */
  retire(): void {
    if (!this.spoilt && !this.broken) this.#spoil()
  }

  /** Marks the kind of the head as blocked, so that other statements of this kind are not sent behind others. */
  warnOfHead(): void {
    const { head } = this
    if (head === null || head.cost === null || head.isStuck) return
    head.isStuck = true
    head.cost.stuck++
  }

  /**
   * Abandons the reads that the server has probably not begun. It may still run them, but their results are ignored.
   * Writes stay: a write that was sent cannot be recalled.
   * @returns copies of the abandoned statements, to be sent on other connections
   */
  takeReads(): RunningStatement[] {
    const taken: RunningStatement[] = []
    // On an unusable connection the head is moved too.
    const first = this.spoilt ? this.head : (this.head?.next ?? null)
    for (let statement = first; statement !== null; statement = statement.next) {
      if (statement.statement.readOnly === true && !statement.abandoned) taken.push(statement.moveAway())
    }
    return taken
  }

  /**
   * Is there enough work in flight to keep the server busy during a round trip? Further statements wait in the queue, from
   * which any connection can take them.
   */
  get isFull(): boolean {
    return this.inFlight >= MIN_IN_FLIGHT && this.load >= FULL_MS
  }

  /** Aborts a statement: its caller gets the error at once, and the server is asked to cancel it if it is the head. */
  abort(statement: RunningStatement): void {
    if (statement.abandoned) return
    statement.fail(abortedError(statement.cancel))
    if (statement === this.head) this.#canceller.cancel()
  }

  abortAll(error: () => unknown): void {
    for (let statement = this.head; statement !== null; statement = statement.next) {
      if (!statement.abandoned) statement.fail(error())
    }
    if (this.head !== null) this.#canceller.cancel()
  }

  /**
   * Fails the reads that were sent before a time and that the server has not begun. Writes keep waiting: a write that was
   * reported as failed could still run before it is cancelled.
   * @param before `performance.now()`
   */
  failWaiting(before: number, error: () => unknown): void {
    for (let statement = this.head?.next ?? null; statement !== null; statement = statement.next) {
      if (statement.sentAt > before) return
      if (!statement.abandoned && statement.statement.readOnly === true) statement.fail(error())
    }
  }

  get cancelledLately(): boolean {
    return this.#canceller.wasLately
  }

  /** Calls `then` once no statement is in flight and no cancel request is pending. */
  onQuiet(then: () => void): void {
    this.#whenQuiet.push(then)
    this.#checkQuiet()
  }

  #checkQuiet(): void {
    if (!this.quiet || this.#whenQuiet.length === 0) return
    const waiting = this.#whenQuiet
    this.#whenQuiet = []
    for (const then of waiting) then()
  }

  #spoil(): void {
    this.spoilt = true
    this.onSpoilt?.(this)
    this.onQuiet(() => void this.close())
  }

  /** Sends Terminate when all statements in flight have ended. */
  async close(): Promise<void> {
    if (this.broken) return
    this.onQuiet(() => destroyUnlessEnded(this))
    await this.client.end()
  }

  /** Destroys the connection. Statements in flight fail with a connection error. */
  destroy(): void {
    this.broken = true
    const { stream } = (this.client as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }
}

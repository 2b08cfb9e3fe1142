import type pg from 'pg'
import type { LaneUse } from '../costs/lane-use.ts'
import { idleTime, isSmall, recordDuration, SLOW_MS } from '../costs/statement-costs.ts'
import type { Carrier } from './carrier.ts'
import { destroyUnlessEnded } from './destroy-unless-ended.ts'
import { abortedError, isConnectionError, isReadOnlyRefusal, readOnlyServer } from './driver-errors.ts'
import { HeadCanceller } from './head-canceller.ts'
import { type PreparedMode, PreparedNames } from './prepared-names.ts'
import type { ReportedParameters } from './reported-parameters.ts'
import { ReportingSession } from './reported-parameters.ts'
import { RunningStatement } from './running-statement.ts'
import { RESET } from './session-reset.ts'

const PREPARED_LIMIT = 256
const MIN_IN_FLIGHT = 2
const FULL_MS = 8
/**
 * One connection and the statements in flight on it, oldest first: the head is the one that the server works on.
 */
export class Connection extends ReportingSession implements Carrier<RunningStatement> {
  readonly client: pg.Client
  readonly mode: PreparedMode
  readonly names = new PreparedNames(PREPARED_LIMIT)
  head: RunningStatement | null = null
  inFlight = 0
  /** Expected duration of all that is in flight, milliseconds. */
  load = 0
  /** Set by who watches the lanes: the head does not move. */
  stuck = false
  idleSince = 0
  /** The use of shared connections; `null` on a connection with one caller. */
  use: LaneUse | null = null
  /** Called when a statement has ended, if others may wait for its place. */
  onRoom: (() => void) | null = null
  /** Called when it is spoilt. */
  onSpoilt: ((connection: Connection) => void) | null = null
  /** Settles when the connection is gone. */
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

  /** May a further statement be sent on it? Not while a cancel request is on its way: it could hit that one. */
  get ready(): boolean {
    return !this.broken && !this.spoilt && !this.#canceller.isActive
  }

  get quiet(): boolean {
    return this.inFlight === 0 && !this.#canceller.isActive
  }

  /** Since when the server works on the head. `performance.now()` */
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
    // Deferred triggers see the settings of their transaction: it has to end before they are taken back.
    if (statement.reset === 'behind') this.#resetBehind(now)
  }

  #resetBehind(now: number): void {
    const failed = (): void => this.destroy()
    const reset = new RunningStatement(RESET, [], null, () => {}, failed)
    reset.reset = 'within'
    this.run(reset, now)
  }

  /**
   * The head got its last answer. A time longer than known is the server's only if this process had nothing to do
   * meanwhile, or was seen to have read all there was: else the answer may have lain here, and a thousand clients that
   * come at once would make every statement look slow.
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
    // A finished statement that the collector has moved to its old space would keep all later ones alive.
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
   * What the server said of a statement: where it takes nothing back from that, the connection is not used any more.
   * @returns the error as it concerns the statement
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

  /** From now on others of the head's kind are not sent behind anybody. */
  warnOfHead(): void {
    const { head } = this
    if (head === null || head.cost === null || head.isStuck) return
    head.isStuck = true
    head.cost.stuck++
  }

  /**
   * Gives up the reads that the server has not begun with, as far as is known. It may still run them; nobody hears of it.
   * Writes stay: one that was sent cannot be recalled.
   * @returns statements that stand for them and were not sent yet
   */
  takeReads(): RunningStatement[] {
    const taken: RunningStatement[] = []
    // The head of a connection that is given up has not begun either.
    const first = this.spoilt ? this.head : (this.head?.next ?? null)
    for (let statement = first; statement !== null; statement = statement.next) {
      if (statement.statement.readOnly === true && !statement.abandoned) taken.push(statement.moveAway())
    }
    return taken
  }

  /**
   * Is there as much on it as keeps the server busy until an answer has come here and a statement has gone back? What
   * more there is waits where it can still go to whichever connection is free first.
   */
  get isFull(): boolean {
    return this.inFlight >= MIN_IN_FLIGHT && this.load >= FULL_MS
  }

  /** Gives the statement up: its caller hears so at once, the server as soon as it works on it. */
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
   * Fails the reads that were sent before this time and that the server has not begun with. Writes wait on: one that was
   * told to have failed could still run before it is cancelled.
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

  /** Runs `then` once nothing is in flight and no cancel request is on its way. */
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

  /** Says goodbye when all that is in flight is answered. */
  async close(): Promise<void> {
    if (this.broken) return
    this.onQuiet(() => destroyUnlessEnded(this))
    await this.client.end()
  }

  /** Cuts the connection; what is in flight fails as on a broken one. */
  destroy(): void {
    this.broken = true
    const { stream } = (this.client as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }
}

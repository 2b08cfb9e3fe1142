import {
  type Cancellable,
  encodeParameters,
  type LentRow,
  refusedSettings,
  type Setting,
} from '../../../core/doors/driver.ts'
import { type Parameter, type Row, type Rows, type Statement, SvcError } from '../../../core/doors/plugin.ts'
import type { Planning } from '../costs/plan-choice.ts'
import type { StatementCost } from '../costs/statement-costs.ts'
import type { Carrier } from './carrier.ts'
import { aborter } from './carrier.ts'
import { failureOf, isStalePreparation } from './driver-errors.ts'
import { pgModule, type Wire } from './pg-module.ts'
import type { PreparedName } from './prepared-names.ts'
import { columnsOf, type DescriptionMessage, parseRow } from './protocol-messages.ts'
import { sendStatement } from './send-statement.ts'

const NO_COLUMNS: Rows['columns'] = Object.freeze([])
const NO_ROWS: Rows['rows'] = Object.freeze([])
/**
 * Tries a failed statement again on another connection. Returns `false` if this is not possible, so that the statement
 * fails.
 */
export type Retry = (statement: RunningStatement, error: unknown) => boolean

/**
 * One execution of a statement on a pipelined connection, which receives its messages from the package `pg`. It
 * inherits from `pg.Query`, because `pg` accepts nothing else, but does not run its slow constructor.
 */
export class RunningStatement {
  readonly statement: Statement
  readonly parameters: readonly (string | null)[]
  readonly cost: StatementCost | null
  /** Statement that starts the transaction, sent before this one in the same round trip. */
  begin: Statement | null = null
  settings: readonly Setting[] | null = null
  /** Planning of a selective statement; `null`: as the session is set. */
  planning: Planning | null = null
  /** Does the transaction continue after the statement? */
  inTransaction = false
  cancel: Cancellable | null = null
  retry: Retry | null = null
  /** When does `SESSION_RESET` run? `within`: in its implicit transaction and round trip; `behind`: after the end of it. */
  reset: 'no' | 'within' | 'behind' = 'no'
  /** Receives the row in the buffer of the driver. Its return value is the result. */
  take: ((row: LentRow) => unknown) | null = null
  /** Prepare the statement again, even if the connection has a statement of this name. */
  fresh = false
  /** Run it only on a separate connection, because a cancel request for another statement has hit it. */
  alone = false
  attempts = 0
  /** Has its caller stopped waiting? */
  abandoned = false
  /** Command tag: `SELECT 3`, `COMMIT`. */
  tag = ''
  /** Has the server worked on it for longer than a small statement takes? */
  isStuck = false
  connection: Carrier<RunningStatement> | null = null
  next: RunningStatement | null = null
  sentAt = 0
  /** Total idle time of the event loop when it was sent, in milliseconds. */
  idleAtSend = 0
  expectedMs = 0

  /** Has this name because `pg` uses `name` and `rows` itself. */
  #collected: Row[] | null = null
  #taken: unknown = null
  #takenRows = 0
  #columns = NO_COLUMNS
  #prologue = 0
  #prepared: PreparedName[] | null = null
  #confirmedBefore = false
  #refusal: unknown = null
  #aborter: (() => void) | null = null
  readonly #resolve: (outcome: unknown) => void
  readonly #reject: (error: unknown) => void

  /**
   * @param resolve gets `Rows`, or the return value of `take`: `null` unless there was exactly one row
   * @throws TypeError for parameters that cannot be encoded, so that no message is left half written
   */
  constructor(
    statement: Statement,
    parameters: readonly Parameter[],
    cost: StatementCost | null,
    resolve: (outcome: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    if (statement.text.includes('\0')) throw new TypeError('A statement cannot contain the character NUL')
    this.statement = statement
    this.parameters = encodeParameters(parameters)
    this.cost = cost
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Was it sent with a preparation that the server had already confirmed? */
  get reliedOnConfirmed(): boolean {
    return this.#prepared === null && this.#confirmedBefore
  }

  /** Must the settings of the session be back at their initial values when it has ended? */
  get isLast(): boolean {
    return !this.inTransaction && this.reset !== 'behind'
  }

  /** Writes the statement. Called by `pg` when it is its turn. @returns `null`: no error, as `pg` requires */
  submit(wire: Wire): null {
    this.connection!.hold(wire.stream)
    this.#prologue += sendStatement(wire, this.connection!, this)
    return null
  }

  /** Records a preparation: one that is sent with the statement, or an earlier one that its own statement uses. */
  prepares(entry: PreparedName, isNew: boolean): void {
    if (!isNew) this.#confirmedBefore = entry.confirmed
    else if (this.#prepared === null) this.#prepared = [entry]
    else this.#prepared.push(entry)
  }

  handleRowDescription(message: DescriptionMessage): void {
    this.#columns = columnsOf(message)
  }

  handleDataRow(message: { readonly fields: Row }): void {
    if (this.#prologue > 0) return
    this.#collected ??= []
    this.#collected.push(message.fields)
  }

  get takesRows(): boolean {
    return this.take !== null && this.#prologue === 0
  }

  /** Takes the bytes of a row, from the number of its columns on. @throws RangeError: the connection ends */
  takeRow(bytes: Buffer, start: number, end: number): void {
    if (this.abandoned || ++this.#takenRows > 1) return
    const row = parseRow(bytes, start, end)
    try {
      this.#taken = this.take!(row)
    } catch (error) {
      this.#refusal = error
    }
  }

  /**
   * Decides about a row that is too large. A read discards it and fails with `error`. A write may be committed by now, so that
   * its answer is kept: `false`.
   */
  refuseRow(error: unknown): boolean {
    if (this.statement.readOnly !== true) return false
    this.#refusal = error
    return true
  }

  handleCommandComplete(message: { readonly text: string }): void {
    if (this.#prologue > 0) this.#prologue--
    else if (this.tag === '') this.tag = message.text
  }

  handleReadyForQuery(): void {
    if (this.#prepared !== null) for (const entry of this.#prepared) entry.confirmed = true
    this.connection!.finish(this)
    this.#release()
    if (this.abandoned) return
    if (this.#refusal !== null) this.#reject(this.#refusal)
    else if (this.take !== null) this.#resolve(this.#takenRows === 1 ? this.#taken : null)
    else this.#resolve({ rows: this.#collected ?? NO_ROWS, columns: this.#columns })
  }

  handleError(said: unknown): void {
    const connection = this.connection!
    // First of all, so that nothing is tried again on a connection that is lost.
    const error = connection.heard(said, this.statement)
    if (this.#prepared !== null) for (const entry of this.#prepared) connection.names.forget(entry)
    if (isStalePreparation(error, this.statement)) connection.names.drop(this.statement.name!)
    connection.finish(this)
    if (this.abandoned) return
    if (this.retry?.(this, error) === true) return
    // A statement before this one has not completed, so that the error is its error.
    const isOfSettings = this.#prologue > 0 && this.settings !== null
    const commits = this.statement.readOnly !== true && !this.inTransaction
    this.fail((isOfSettings ? refusedSettings(error) : null) ?? failureOf(error, commits))
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}
  /** The server takes all later messages for rows, so that the protocol cannot be resynchronized. */
  handleCopyInResponse(): void {
    this.connection!.destroy()
    this.fail(new SvcError('DATABASE_ERROR', 'COPY FROM STDIN cannot be used here.'))
  }

  /** Rejects the statement. Later answers of the server to it are ignored. */
  fail(error: unknown): void {
    this.abandoned = true
    this.#release()
    this.#reject(error)
  }

  /**
   * Abandons this run without settling its promise.
   * @returns a copy with the same promise, to be sent on another connection
   */
  moveAway(): RunningStatement {
    const copy = new RunningStatement(this.statement, this.parameters, this.cost, this.#resolve, this.#reject)
    const { settings, planning, reset, cancel, retry, take, alone, sentAt } = this
    Object.assign(copy, { settings, planning, reset, retry, take, alone, sentAt })
    copy.attempts = this.attempts - 1
    if (cancel !== null) copy.watch(cancel)
    this.#release()
    this.abandoned = true
    return copy
  }

  /** Resets it to its state before it was sent. */
  renew(): void {
    this.#collected = null
    this.#taken = null
    this.#takenRows = 0
    this.#prologue = 0
    this.#prepared = null
    this.#confirmedBefore = false
    this.#refusal = null
    this.tag = ''
    this.connection = null
    this.next = null
  }

  /** Registers an abort listener, which aborts the statement. */
  watch(cancel: Cancellable): void {
    this.cancel = cancel
    this.#aborter = aborter(this)
    cancel.addAbortListener(this.#aborter)
  }

  #release(): void {
    if (this.#aborter === null) return
    this.cancel!.removeAbortListener(this.#aborter)
    this.#aborter = null
  }
}

Object.setPrototypeOf(RunningStatement.prototype, pgModule.Query.prototype)

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
/** Tries the statement again elsewhere. `false`: it cannot help, the error is the statement's own. */
export type Retry = (statement: RunningStatement, error: unknown) => boolean

/**
 * One execution of a statement on a pipelined connection. `pg` hands it the server's answers; it keeps the texts of the
 * rows and nothing else. Not made by `pg.Query`'s constructor, which costs more than all the rest of a small statement,
 * but an instance of it, because that is what a pipelined client accepts.
 */
export class RunningStatement {
  readonly statement: Statement
  readonly parameters: readonly (string | null)[]
  readonly cost: StatementCost | null
  /** Runs in front, in the same round trip: the start of the transaction. */
  begin: Statement | null = null
  settings: readonly Setting[] | null = null
  /** How a selective statement is planned; `null`: as the session has it. */
  planning: Planning | null = null
  /** Of a transaction that goes on. */
  inTransaction = false
  cancel: Cancellable | null = null
  retry: Retry | null = null
  /** Are the session's settings taken back, `SESSION_RESET`? `within` its implicit transaction and round trip; `behind` it where its end has to see them. */
  reset: 'no' | 'within' | 'behind' = 'no'
  /** Gets the row as it lies in the driver's buffer; what it returns is the outcome. */
  take: ((row: LentRow) => unknown) | null = null
  /** Prepare anew, whatever the connection has under this name. */
  fresh = false
  /** Only on a connection of its own: it was hit by a cancel request that was meant for a neighbour. */
  alone = false
  attempts = 0
  /** Its caller does not wait for it any more. */
  abandoned = false
  /** Command tag: `SELECT 3`, `COMMIT`. */
  tag = ''
  /** The server has been at it for longer than a small statement takes. */
  isStuck = false
  connection: Carrier<RunningStatement> | null = null
  next: RunningStatement | null = null
  sentAt = 0
  /** What the event loop had idled until then, milliseconds. */
  idleAtSend = 0
  expectedMs = 0

  /** Taken as its own name, because `pg` gives `name` and `rows` a meaning. */
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
   * @param resolve gets `Rows`, or what `take` returned: `null` when there was not exactly one row
   * @throws TypeError for what cannot be written to the wire: it must never be found out in mid-message
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

  /** Was it sent with a preparation that the server had confirmed before? */
  get reliedOnConfirmed(): boolean {
    return this.#prepared === null && this.#confirmedBefore
  }

  /** Do the session's settings have to be ours again when it has ended? */
  get isLast(): boolean {
    return !this.inTransaction && this.reset !== 'behind'
  }

  /** Called by `pg` when it is this one's turn to be written. @returns `null`: no error, as `pg` wants it */
  submit(wire: Wire): null {
    this.connection!.hold(wire.stream)
    this.#prologue += sendStatement(wire, this.connection!, this)
    return null
  }

  /** Told while it is written: a preparation that goes with it, or that its own statement found there. */
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

  /** A row of the protocol, from the number of its columns on. @throws RangeError: the connection ends */
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
   * A row that is too large to be taken in is on its way. Reads do without it and fail with `error`; a write may have
   * been committed by now, and its answer is not thrown away: `false`.
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
    // Before anything is tried again, so that it is not tried on a connection that is gone.
    const error = connection.heard(said, this.statement)
    if (this.#prepared !== null) for (const entry of this.#prepared) connection.names.forget(entry)
    if (isStalePreparation(error, this.statement)) connection.names.drop(this.statement.name!)
    connection.finish(this)
    if (this.abandoned) return
    if (this.retry?.(this, error) === true) return
    // What stands in front has not come to its end, so it is what failed.
    const isOfSettings = this.#prologue > 0 && this.settings !== null
    const commits = this.statement.readOnly !== true && !this.inTransaction
    this.fail((isOfSettings ? refusedSettings(error) : null) ?? failureOf(error, commits))
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}
  /** The server takes what was sent behind it for rows: there is no way back into step. */
  handleCopyInResponse(): void {
    this.connection!.destroy()
    this.fail(new SvcError('DATABASE_ERROR', 'COPY FROM STDIN cannot be used here.'))
  }

  /** Settles it with an error; whatever the server still says about it is ignored. */
  fail(error: unknown): void {
    this.abandoned = true
    this.#release()
    this.#reject(error)
  }

  /**
   * Gives this run up without a word to whoever waits for it.
   * @returns the same, to be sent on another connection
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

  /** Back to the state before it was sent. */
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

  /** From here on it is given up when this is aborted. */
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

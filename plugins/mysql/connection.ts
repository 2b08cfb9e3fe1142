import {
  abortedError,
  type Cancellable,
  type PooledConnection,
  type Setting,
  SettingsRefused,
  unavailable,
} from '../../core/doors/driver.ts'
import type { Rows, SvcError } from '../../core/doors/plugin.ts'
import type { PositionalSql } from './placeholders.ts'
import type { RawConnection, RawStatement } from './raw-connection.ts'
import { isConnectionError, isServerError } from './read-error.ts'
import { type RowSink, RunningCommand } from './running-command.ts'
import { accessMode, hasSnapshotIsolation, resetSession, type ServerFacts } from './server-session.ts'

/** Limit on prepared statements per connection. The server's limit holds for all of its connections. */
const PREPARED_LIMIT = 256
/** Time that a killed statement has to end, before its connection is closed. */
const KILL_MS = 5000
const TOO_MANY_PREPARED = 1461
/** The statement is unknown to the server (1243), or has to be prepared again (1615). */
const STALE = new Set([1243, 1615])
const NOT_PREPARABLE = 1295
const INTERRUPTED = 1317

/** How a session has to be before a statement is sent. */
export interface SessionState {
  readonly readOnly: boolean
  readonly snapshot?: boolean
  readonly variables: readonly Setting[]
}

export interface RunOptions {
  readonly cancel: Cancellable | null
  /** Keep the statement prepared? */
  readonly keep: boolean
  /** `true`: the statement has no parameters, and is sent without preparing it. */
  readonly isPlain?: boolean
  /** Limit on the result in bytes; 0: none. */
  readonly maxBytes?: number
  /** Receives the rows as they arrive, instead of the result. */
  readonly sink?: RowSink
}

/** Ends running statements from another connection. */
export interface StatementKiller {
  /** @throws if the statement may still run */
  kill(facts: ServerFacts): Promise<void>
}

/** A connection to MariaDB or MySQL. It runs one statement at a time. */
export class Connection implements PooledConnection {
  readonly raw: RawConnection
  readonly facts: ServerFacts
  readonly #killer: StatementKiller
  readonly #prepared = new Map<string, RawStatement>()
  #running: RunningCommand | null = null
  #kills = 0
  #whenQuiet: (() => void)[] = []
  #retired = false
  /** Has a statement changed the session, or may it have? */
  #dirty = false
  #state: SessionState = { readOnly: false, variables: [] }
  readonly ended: Promise<void>
  broken = false
  idleSince = 0

  constructor(raw: RawConnection, facts: ServerFacts, killer: StatementKiller) {
    this.raw = raw
    this.facts = facts
    this.#killer = killer
    raw.on('error', (error) => this.#lose(error))
    this.ended = new Promise((resolve) => {
      raw.stream.once('close', () => {
        this.#lose(new Error('The server closed the connection'))
        resolve()
      })
    })
  }

  get isTrusted(): boolean {
    return !this.broken && !this.#retired
  }

  /** Brings the session into the state that the next statement needs. @throws the error of the server */
  async prepareFor(state: SessionState): Promise<void> {
    if (this.#dirty) await this.#reset()
    const { sets, values } = this.#changesTo(state)
    if (sets.length === 0) return
    try {
      await this.run({ text: `SET ${sets.join(', ')}`, order: [], isCall: true }, values, { cancel: null, keep: true })
    } catch (error) {
      throw isConnectionError(error) ? error : new SettingsRefused(error)
    }
    this.#state = state
    this.#dirty = false
  }

  async #reset(): Promise<void> {
    this.#prepared.clear()
    this.#state = { readOnly: false, variables: [] }
    try {
      await resetSession(this.raw, this.facts)
    } catch (error) {
      this.destroy()
      throw unavailable('The session of the database could not be reset.', error)
    }
    this.#dirty = false
  }

  #changesTo({ readOnly, snapshot = false, variables }: SessionState) {
    const sets: string[] = []
    const values: (string | null)[] = []
    if (readOnly !== this.#state.readOnly) sets.push(`SESSION ${accessMode(this.facts)} = ${readOnly ? 1 : 0}`)
    if (snapshot !== (this.#state.snapshot ?? false) && hasSnapshotIsolation(this.facts)) {
      sets.push(`SESSION innodb_snapshot_isolation = ${snapshot ? 1 : 0}`)
    }
    const wanted = new Map(variables.map(({ name, value }) => [name, value]))
    const before = new Map(this.#state.variables.map(({ name, value }) => [name, value]))
    for (const name of before.keys()) if (!wanted.has(name)) sets.push(`${variable(name)} = NULL`)
    for (const [name, value] of wanted) {
      if (before.get(name) === value) continue
      sets.push(`${variable(name)} = ?`)
      values.push(value)
    }
    return { sets, values }
  }

  /**
   * Runs a statement.
   * @throws the error of the server or the socket; SvcError TIMEOUT at once if the request is aborted; ResultTooLarge
   */
  async run(sql: PositionalSql, values: readonly (string | null)[], options: RunOptions): Promise<Rows> {
    if (options.cancel?.aborted === true) throw abortedError(options.cancel)
    if (this.broken) throw unavailable('The connection to the database broke.')
    const running = new RunningCommand(options)
    running.onTooLarge = (error) => this.abandon(error)
    this.#running = running
    const unwatch = options.cancel?.onAbort(() => this.abandon(abortedError(options.cancel)))
    void this.#send(running, sql, values, options)
    try {
      return await running.result
    } catch (error) {
      // The server does not say what a failed call has changed.
      if (sql.isCall) this.#dirty = true
      throw error
    } finally {
      unwatch?.()
    }
  }

  /** A statement may have changed the session without a report of the server: a function in a SELECT. */
  distrustSession(): void {
    this.#dirty = true
  }

  /** Fails the running statement at once, and kills it on the server. */
  abandon(error: SvcError): void {
    const running = this.#running
    if (running === null || running.isOver) return
    running.abandon(error)
    this.raw.resume()
    void this.#kill(running)
  }

  async #kill(running: RunningCommand): Promise<void> {
    this.#kills++
    const overdue = setTimeout(() => this.destroy(), KILL_MS)
    try {
      await this.#killer.kill(this.facts)
      await running.ended
      // The kill may have come after the end of the statement, and would hit the next one.
      if (running.failure === null || !isInterruption(running.failure)) await this.#absorbKill()
    } catch {
      this.destroy()
    } finally {
      clearTimeout(overdue)
      this.#kills--
      this.#checkQuiet()
    }
  }

  async #absorbKill(): Promise<void> {
    if (this.broken) return
    const probe = new RunningCommand({})
    this.#running = probe
    probe.attach(this.raw.query({ sql: 'DO 0' }))
    probe.result.catch(() => {})
    await probe.ended
    probe.settle()
    this.#finish(probe)
  }

  async #send(running: RunningCommand, sql: PositionalSql, values: readonly (string | null)[], options: RunOptions) {
    const { keep, isPlain = false } = options
    for (let attempt = 1; ; attempt++) {
      try {
        const statement = isPlain ? null : await this.#prepare(sql.text, keep)
        running.attach(statement === null ? this.raw.query({ sql: sql.text }) : statement.execute(values))
        await running.ended
        if (!keep && statement !== null) this.raw.unprepare(sql.text)
        const { failure } = running
        if (attempt === 1 && failure !== null && isServerError(failure) && STALE.has(failure.errno)) {
          this.#prepared.delete(sql.text)
          this.raw.unprepare(sql.text)
          running.startAgain()
          continue
        }
      } catch (error) {
        if (attempt === 1 && isServerError(error) && error.errno === TOO_MANY_PREPARED && this.#closePrepared())
          continue
        running.fail(error as Error)
      }
      break
    }
    if (running.changedSession) this.#dirty = true
    running.settle()
    this.#finish(running)
  }

  /** @returns `null` for a statement that the server does not prepare */
  async #prepare(text: string, keep: boolean): Promise<RawStatement | null> {
    const known = this.#prepared.get(text)
    if (known !== undefined) {
      // The most recently used statement is last.
      this.#prepared.delete(text)
      this.#prepared.set(text, known)
      return known
    }
    const statement = await new Promise<RawStatement | null>((resolve, reject) => {
      this.raw.prepare({ sql: text }, (error, prepared) => {
        if (error === null) resolve(prepared)
        else if (isServerError(error) && error.errno === NOT_PREPARABLE) resolve(null)
        else reject(error)
      })
    })
    if (statement === null || !keep) return statement
    if (this.#prepared.size >= PREPARED_LIMIT) {
      const [oldest] = this.#prepared
      this.#prepared.delete(oldest![0])
      this.raw.unprepare(oldest![0])
    }
    this.#prepared.set(text, statement)
    return statement
  }

  #closePrepared(): boolean {
    const had = this.#prepared.size > 0
    for (const text of this.#prepared.keys()) this.raw.unprepare(text)
    this.#prepared.clear()
    return had
  }

  #finish(running: RunningCommand): void {
    if (this.#running === running) this.#running = null
    this.#checkQuiet()
  }

  onQuiet(then: () => void): void {
    this.#whenQuiet.push(then)
    this.#checkQuiet()
  }

  #checkQuiet(): void {
    if (this.#running !== null || this.#kills > 0) return
    for (const then of this.#whenQuiet.splice(0)) then()
  }

  /** The pool closes the connection instead of lending it again. */
  distrust(): void {
    this.#retired = true
  }

  retire(): void {
    this.#retired = true
    void this.close()
  }

  async close(): Promise<void> {
    this.#retired = true
    if (!this.broken) this.raw.end(() => this.raw.stream.destroy())
    await this.ended
  }

  /** Closes the socket, even during a statement. The server then rolls back. */
  destroy(): void {
    this.#lose(new Error('The connection was closed'))
    this.raw.stream.destroy()
  }

  #lose(error: Error): void {
    if (this.broken) return
    this.broken = true
    this.#running?.lose(error)
    this.raw.stream.destroy()
  }
}

function isInterruption(error: unknown): boolean {
  return isServerError(error) && error.errno === INTERRUPTED
}

/** A user variable whose name may have any characters: @`app.tenant_id` */
function variable(name: string): string {
  return `@\`${name.replaceAll('`', '``')}\``
}

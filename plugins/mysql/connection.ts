import {
  abortedError,
  type Cancellable,
  type PooledConnection,
  SettingsRefused,
  unavailable,
} from '../../core/doors/driver.ts'
import type { Rows, SvcError } from '../../core/doors/plugin.ts'
import type { PositionalSql } from './placeholders.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { type RawConnection, watchWarnings } from './raw-connection.ts'
import { isConnectionError, isServerError, ResultCutOff } from './read-error.ts'
import { runText } from './run-script.ts'
import { RunningCommand, type RunOptions } from './running-command.ts'
import { resetSession, type ServerFacts } from './server-session.ts'
import { SessionChanges, type SessionState } from './session-changes.ts'

/** Time that a killed statement has to end, before its connection is closed. */
const KILL_MS = 5000
const TOO_MANY_PREPARED = 1461
/** The statement is unknown to the server (1243), or has to be prepared again (1615). */
const STALE = new Set([1243, 1615])
const INTERRUPTED = 1317
/** GROUP_CONCAT, or another text, was longer than the server makes it (`max_allowed_packet`). */
const LOSSES = new Set([1260, 1301])

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
  readonly #prepared: PreparedStatements
  readonly #session: SessionChanges
  #running: RunningCommand | null = null
  #kills = 0
  #whenQuiet: (() => void)[] = []
  #retired = false
  /** Has a statement changed the session, or may it have? */
  #dirty = false
  readonly ended: Promise<void>
  broken = false
  idleSince = 0

  constructor(raw: RawConnection, facts: ServerFacts, killer: StatementKiller) {
    this.raw = raw
    this.facts = facts
    this.#killer = killer
    this.#prepared = new PreparedStatements(raw)
    this.#session = new SessionChanges(facts)
    raw.on('error', (error) => this.#lose(error))
    watchWarnings(raw, () => {
      if (this.#running !== null) this.#running.hasWarnings = true
    })
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
  async prepareFor(state: SessionState, cancel: Cancellable | null): Promise<void> {
    if (this.#dirty) await this.#reset(cancel)
    const change = this.#session.changeTo(state)
    if (change === null) return
    try {
      await this.run(change.sql, change.values, { cancel, keep: true })
    } catch (error) {
      throw isServerError(error) && !isConnectionError(error) ? new SettingsRefused(error) : error
    }
    this.#session.changed(state)
    this.#dirty = false
  }

  async #reset(cancel: Cancellable | null): Promise<void> {
    const unwatch = cancel?.onAbort(() => this.destroy())
    this.#prepared.forget()
    this.#session.reset()
    try {
      await resetSession(this.raw, this.facts)
    } catch (error) {
      this.destroy()
      throw cancel?.aborted === true ? abortedError(cancel) : unavailable('The session could not be reset.', error)
    } finally {
      unwatch?.()
    }
    this.#dirty = false
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
      const { failure } = running
      if (!isServerError(failure) || failure.errno !== INTERRUPTED) await this.#absorbKill()
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
        const statement = isPlain ? null : await this.#prepared.get(sql.text, keep)
        running.attach(statement === null ? this.raw.query({ sql: sql.text }) : statement.execute(values))
        await running.ended
        if (!keep && statement !== null) this.#prepared.drop(sql.text)
        const { failure } = running
        if (attempt === 1 && failure !== null && isServerError(failure) && STALE.has(failure.errno)) {
          this.#prepared.drop(sql.text)
          running.startAgain()
          continue
        }
      } catch (error) {
        if (attempt === 1 && isServerError(error) && error.errno === TOO_MANY_PREPARED && this.#prepared.closeAll())
          continue
        running.fail(error as Error)
      }
      break
    }
    if (running.failure !== null && isConnectionError(running.failure)) this.destroy()
    if (running.changedSession) this.#dirty = true
    if (running.hasWarnings && running.failure === null) running.failure = await this.#lossOf()
    running.settle()
    this.#finish(running)
  }

  /** Returns the error of a result that the server cut off with nothing but a warning; `null`: it is complete. */
  async #lossOf(): Promise<Error | null> {
    try {
      const warnings = await runText(this.raw, 'SHOW WARNINGS')
      const loss = warnings.find(([, code]) => LOSSES.has(Number(code)))
      return loss === undefined ? null : new ResultCutOff(String(loss[2]))
    } catch (error) {
      return error as Error
    }
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

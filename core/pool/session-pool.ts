import type { Cancellable } from '../contract/cancellable.ts'
import type { ConnectionLimit } from './connection-limit.ts'
import type { Health } from './health.ts'
import { abortedError, tooMany, UNREACHABLE, unavailable } from './pool-errors.ts'
import { IdleConnections, Waiting } from './pool-queues.ts'
import type { ConnectionOpener, SessionPoolOptions } from './pool-room.ts'
import { PoolRoom } from './pool-room.ts'
import type { PooledConnection } from './pooled-connection.ts'

/** Limit on waiting requests, per connection. Further ones are rejected at once. */
const QUEUE_PER_CONNECTION = 100
/** Interval of attempts to find connections while callers wait. */
const TRY_AGAIN_MS = 10
/**
 * All connections to a database server. A caller reserves one for a transaction, a stream or a slow statement. A driver
 * may share the others between small statements (lanes). Each kind may use connections that the other does not need.
 */
export class SessionPool<C extends PooledConnection> {
  readonly #options: SessionPoolOptions
  readonly #health: Health
  readonly #idle = new IdleConnections<C>()
  readonly room: PoolRoom<C>
  /** Connections that are closing. */
  readonly #leaving = new Set<C>()
  readonly #waiting = new Waiting<C>()
  readonly #reaper: NodeJS.Timeout
  /** Connections that are lent, each to one caller. */
  readonly #own = new Set<C>()
  /** Offers a returned connection to the lanes. @returns `true` if they took it */
  onOffer: (connection: C, isSpare: boolean) => boolean = () => false
  /** Called when a caller waits and the lanes may release a connection. */
  onWanted: () => void = () => {}
  /** Called when one more connection may be available. */
  onFree: () => void = () => {}
  /** Callbacks of `giveUp`, each called when a connection is closed for it. */
  readonly #owed: (() => void)[] = []
  /** Number of connections that are being opened for waiting callers. */
  #growing = 0
  #retry: NodeJS.Timeout | null = null
  #closing: (() => void) | null = null

  constructor(options: SessionPoolOptions, limit: ConnectionLimit, opener: ConnectionOpener<C>, health: Health) {
    this.#options = options
    this.room = new PoolRoom(limit, opener, (connection) => this.#forget(connection))
    limit.onRetry = () => {
      this.#findMore()
      if (this.canGive) this.onFree()
    }
    this.#health = health
    this.#reaper = setInterval(() => this.#reap(), Math.max(10, Math.min(30_000, options.idleTimeoutMs / 2)))
    this.#reaper.unref()
    for (let i = 0; i < options.initial; i++) this.#grow()
  }

  get idle(): number {
    return this.#idle.size
  }
  get active(): number {
    return this.#own.size
  }
  /** Limit on the number of lent connections. */
  get max(): number {
    return this.room.limit.max - this.room.limit.kept
  }
  get waiting(): number {
    return this.#waiting.size
  }
  /** Limit on the number of waiting callers. Further ones are rejected at once. */
  get maxWaiting(): number {
    return this.max * QUEUE_PER_CONNECTION
  }
  /** Is a connection available without waiting for another caller? */
  get hasRoom(): boolean {
    return this.#own.size < this.max && this.canGive
  }
  /** Is a connection idle, or can one be opened? */
  get canGive(): boolean {
    return this.#idle.size > 0 || !this.room.isFull
  }

  /** Opens or takes a connection for the lanes. @returns `null`: none is to spare @throws the error of opening a connection */
  async openShared(): Promise<C | null> {
    const idle = this.#closing === null ? this.#idle.take() : null
    if (idle !== null || this.#closing !== null || this.room.isFull) return idle
    try {
      return await this.room.open()
    } catch (error) {
      this.#checkClosed()
      throw error
    }
  }

  /** Counts a shared connection as lent while its statements in flight end. */
  adopt(connection: C): void {
    this.#own.add(connection)
    this.release(connection)
  }

  /**
   * Lends a connection. Return it with `release`.
   * @param waitedMs time that the caller has already waited elsewhere; it counts towards the limit
   * @throws SvcError SERVICE_UNAVAILABLE: none free in time, too many waiting, or no server. TIMEOUT: aborted
   */
  acquire(cancel: Cancellable | null, waitedMs = 0): Promise<C> {
    if (cancel?.aborted === true) return Promise.reject(abortedError(cancel))
    if (this.#closing !== null) return Promise.reject(unavailable('The service is closing.'))
    const connection = this.#own.size < this.max ? this.#idle.take() : null
    if (connection !== null) {
      this.#own.add(connection)
      return Promise.resolve(connection)
    }
    if (this.#waiting.size >= this.maxWaiting) return Promise.reject(tooMany())
    const got = this.#waiting.wait(cancel, this.#options.acquireTimeoutMs - waitedMs, () => {
      const reason = this.#health.failure === null ? 'No database connection was free in time.' : UNREACHABLE
      return unavailable(reason, this.#health.failure ?? undefined)
    })
    this.#findMore()
    this.#retry ??= setTimeout(this.#tryAgain, TRY_AGAIN_MS)
    return got
  }

  /** Tries again periodically: the lanes release nothing while few of them are usable, and emit no event when this changes. */
  readonly #tryAgain = (): void => {
    this.#retry = null
    if (this.#waiting.size === 0) return
    this.#findMore()
    this.#retry = setTimeout(this.#tryAgain, TRY_AGAIN_MS)
  }

  /** Looks for connections for waiting callers. */
  #findMore(): void {
    if (this.#waiting.size <= this.#growing || this.#own.size + this.#growing >= this.max) return
    const idle = this.#idle.take()
    if (idle !== null) this.#takeBack(idle)
    else if (!this.room.isFull) this.#grow()
    else this.onWanted()
  }

  /** Takes a connection back once no statement is in flight on it. */
  release(connection: C): void {
    connection.onQuiet(() => this.#takeBack(connection))
  }

  #takeBack(connection: C): void {
    this.#own.delete(connection)
    if (!connection.isTrusted) {
      connection.retire()
      return
    }
    const owed = this.#owed.shift()
    if (owed !== undefined) {
      this.#leaving.add(connection)
      void connection.ended.then(owed)
      void connection.close()
      return
    }
    const isWanted = this.#own.size < this.max && this.#waiting.size > 0
    if (!this.room.isTurnOfWaiting(isWanted) && this.onOffer(connection, !isWanted)) {
      this.#findMore()
      return
    }
    if (isWanted && this.#waiting.serve(connection)) {
      this.#own.add(connection)
    } else if (this.#closing !== null) {
      void connection.close()
    } else {
      this.#idle.add(connection)
    }
  }

  #grow(): void {
    this.#growing++
    this.room.open().then(
      (connection) => {
        this.#growing--
        if (connection !== null) this.#takeBack(connection)
        else this.#findMore()
      },
      (error: unknown) => {
        this.#growing--
        this.#openFailed(error)
      },
    )
  }

  /**
   * Closes one connection to make room on the server for a connection of the service itself.
   * @returns `true` if there was one to spare, which is closed
   */
  async giveUp(error: unknown): Promise<boolean> {
    if (this.room.standing < 2 || this.#closing !== null) return false
    this.room.limit.refused(this.room.standing - 1, error)
    await new Promise<void>((gone) => this.#letOneGo(gone))
    return true
  }

  /** Closes the connection that has been idle for longest, otherwise one of the lanes. */
  #letOneGo(gone: () => void): void {
    this.#owed.push(gone)
    const idle = this.#idle.takeOldest()
    if (idle !== null) this.#takeBack(idle)
    else this.onWanted()
  }

  /** Rejects callers that cannot get a connection. */
  #openFailed(error: unknown): void {
    this.#waiting.refuse(this.room.size === 0 ? this.#waiting.size : 1, () => unavailable(UNREACHABLE, error))
    this.#checkClosed()
  }

  #forget(connection: C): void {
    this.#own.delete(connection)
    this.#leaving.delete(connection)
    this.#idle.drop(connection)
    this.#findMore()
    if (this.canGive) this.onFree()
    this.#checkClosed()
  }

  #reap(): void {
    // Only a new session can find out whether the server accepts writes again.
    if (this.#health.isReadOnly && this.room.size > 1) this.#letOneGo(() => {})
    if (this.#health.failure === null) for (let n = this.room.size; n < this.#options.min; n++) this.#grow()
    const before = performance.now() - this.#options.idleTimeoutMs
    while (this.room.size - this.#leaving.size > this.#options.min) {
      const oldest = this.#idle.takeOldest(before)
      if (oldest === null) return
      this.#leaving.add(oldest)
      void oldest.close()
    }
  }

  /** Closes idle connections now, and the others when they are returned. */
  close(): Promise<void> {
    clearInterval(this.#reaper)
    return new Promise((resolve) => {
      this.#closing = resolve
      this.room.limit.close()
      for (const owed of this.#owed.splice(0)) owed()
      for (let idle = this.#idle.take(); idle !== null; idle = this.#idle.take()) void idle.close()
      this.#checkClosed()
    })
  }

  #checkClosed(): void {
    if (this.room.size === 0) this.#closing?.()
  }
}

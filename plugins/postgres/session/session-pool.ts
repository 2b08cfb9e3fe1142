import type { Cancellable } from '../../../core/index.ts'
import type { Health } from '../health.ts'
import type { Connection } from '../wire/connection.ts'
import { abortedError, unavailable } from '../wire/driver-errors.ts'
import { Waiting } from './waiting.ts'

/** Waiting requests per connection that there may be: more are refused at once. */
const QUEUE_PER_CONNECTION = 100

/** How often more connections are looked for while somebody waits. */
const TRY_AGAIN_MS = 10

export interface SessionPoolOptions {
  /** Kept open, shared ones included. */
  readonly min: number
  /** Connections that there may be, shared ones included. */
  readonly max: number
  /** So many of them are nobody's own: small statements share them. */
  readonly kept: number
  /** Opened at once. */
  readonly initial: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
}

/**
 * All connections. They are one caller's own for a while, for transactions, streams and slow statements, or the lanes have
 * them, which small statements share. Whoever needs more gets what the other can spare: slow statements may have all but
 * those that are kept, and the lanes what nobody waits for.
 */
export class SessionPool {
  readonly #options: SessionPoolOptions
  readonly #open: () => Promise<Connection>
  readonly #health: Health
  readonly #idle: Connection[] = []
  /** Closed by us and not gone yet. */
  readonly #leaving = new Set<Connection>()
  readonly #waiting = new Waiting()
  readonly #reaper: NodeJS.Timeout
  /** Lent to one caller each. */
  readonly #own = new Set<Connection>()
  /** Offered one that came back. @returns was it taken? */
  onOffer: (connection: Connection, isSpare: boolean) => boolean = () => false
  /** Somebody waits for a connection that could be taken from the lanes. */
  onWanted: () => void = () => {}
  /** There may be one more. */
  onFree: () => void = () => {}
  #size = 0
  #opening = 0
  #retry: NodeJS.Timeout | null = null
  #closing: (() => void) | null = null

  constructor(options: SessionPoolOptions, open: () => Promise<Connection>, health: Health) {
    this.#options = options
    this.#open = open
    this.#health = health
    this.#reaper = setInterval(() => this.#reap(), Math.max(10, Math.min(30_000, options.idleTimeoutMs / 2)))
    this.#reaper.unref()
    for (let i = 0; i < options.initial; i++) this.#grow()
  }

  get idle(): number {
    return this.#idle.length
  }
  get active(): number {
    return this.#own.size
  }
  /** So many may be somebody's own at once. */
  get max(): number {
    return this.#options.max - this.#options.kept
  }
  get waiting(): number {
    return this.#waiting.size
  }
  /** More are refused at once. */
  get maxWaiting(): number {
    return this.max * QUEUE_PER_CONNECTION
  }
  /** Could a connection be had without waiting for somebody else's? */
  get hasRoom(): boolean {
    return this.#own.size < this.max && this.canGive
  }
  /** Is there one that nobody has, or could there be? */
  get canGive(): boolean {
    return this.#idle.length > 0 || this.#size < this.#options.max
  }

  /** One for the lanes. @returns `null` when there is none to spare. @throws what opening one throws */
  async openShared(): Promise<Connection | null> {
    const idle = this.#closing === null ? this.#popIdle() : null
    if (idle !== null || this.#closing !== null || this.#size >= this.#options.max) return idle
    this.#size++
    try {
      const connection = await this.#open()
      void connection.ended.then(() => this.#forget(connection))
      return connection
    } catch (error) {
      this.#size--
      this.#checkClosed()
      throw error
    }
  }

  /** A shared one that becomes somebody's own, for what is in flight on it. */
  adopt(connection: Connection): void {
    this.#own.add(connection)
    this.release(connection)
  }

  /**
   * A connection of one's own. Give it back with `release`.
   * @param waitedMs how long the caller has waited elsewhere: it counts
   * @throws SvcError SERVICE_UNAVAILABLE: none free in time, too many waiting, or no server. TIMEOUT: aborted
   */
  acquire(cancel: Cancellable | null, waitedMs = 0): Promise<Connection> {
    if (cancel?.aborted === true) return Promise.reject(abortedError(cancel))
    if (this.#closing !== null) return Promise.reject(unavailable('The service is closing.'))
    const connection = this.#own.size < this.max ? this.#popIdle() : null
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

  /** The lanes can give none while those that move are few, and tell nobody when they are more. */
  readonly #tryAgain = (): void => {
    this.#retry = null
    if (this.#waiting.size === 0) return
    this.#findMore()
    this.#retry = setTimeout(this.#tryAgain, TRY_AGAIN_MS)
  }

  /** For whoever waits. */
  #findMore(): void {
    if (this.#waiting.size <= this.#opening || this.#own.size + this.#opening >= this.max) return
    const idle = this.#popIdle()
    if (idle !== null) this.#takeBack(idle)
    else if (this.#size < this.#options.max) this.#grow()
    else this.onWanted()
  }

  /** Gives the connection back once nothing is in flight on it. */
  release(connection: Connection): void {
    connection.onQuiet(() => this.#takeBack(connection))
  }

  #takeBack(connection: Connection): void {
    this.#own.delete(connection)
    if (connection.broken || connection.spoilt) return
    const isWanted = this.#own.size < this.max && this.#waiting.size > 0
    if (this.onOffer(connection, !isWanted)) {
      this.#findMore()
      return
    }
    if (isWanted && this.#waiting.serve(connection)) {
      this.#own.add(connection)
    } else if (this.#closing !== null) {
      void connection.close()
    } else {
      connection.idleSince = performance.now()
      this.#idle.push(connection)
    }
  }

  #popIdle(): Connection | null {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return null
      if (!connection.broken && !connection.spoilt) return connection
    }
  }

  #grow(): void {
    this.#size++
    this.#opening++
    this.#open().then(
      (connection) => {
        this.#opening--
        void connection.ended.then(() => this.#forget(connection))
        this.#takeBack(connection)
      },
      (error: unknown) => {
        this.#opening--
        this.#size--
        this.#openFailed(error)
      },
    )
  }

  /** Whoever has no connection to wait for hears why. */
  #openFailed(error: unknown): void {
    this.#waiting.refuse(this.#size === 0 ? this.#waiting.size : 1, () => unavailable(UNREACHABLE, error))
    this.#checkClosed()
  }

  #forget(connection: Connection): void {
    this.#size--
    this.#own.delete(connection)
    this.#leaving.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#findMore()
    if (this.canGive) this.onFree()
    this.#checkClosed()
  }

  #reap(): void {
    const before = performance.now() - this.#options.idleTimeoutMs
    // The longest idle stand first.
    while (this.#size - this.#leaving.size > this.#options.min) {
      const [oldest] = this.#idle
      if (oldest === undefined || oldest.idleSince > before) return
      this.#idle.shift()
      this.#leaving.add(oldest)
      void oldest.close()
    }
  }

  /** Closes idle connections now and the others when they are given back. */
  close(): Promise<void> {
    clearInterval(this.#reaper)
    return new Promise((resolve) => {
      this.#closing = resolve
      for (const connection of this.#idle.splice(0)) void connection.close()
      this.#checkClosed()
    })
  }

  #checkClosed(): void {
    if (this.#size === 0) this.#closing?.()
  }
}

export const tooMany = (): unknown => unavailable('Too many requests are waiting for a database connection.')

const UNREACHABLE = 'The database cannot be reached.'

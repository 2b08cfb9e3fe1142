import type { Cancellable } from '../../core/index.ts'
import type { Connection } from './connection.ts'
import { abortedError, unavailable } from './driver-errors.ts'
import type { Health } from './health.ts'

/** Waiting requests per connection that there may be: more are refused at once. */
const QUEUE_PER_CONNECTION = 100

export interface SessionPoolOptions {
  readonly min: number
  readonly max: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
}

interface Waiter {
  readonly cancel: Cancellable | null
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** Connections that are one caller's own for a while: for transactions, streams and slow statements. */
export class SessionPool {
  readonly #options: SessionPoolOptions
  readonly #open: () => Promise<Connection>
  readonly #health: Health
  readonly #idle: Connection[] = []
  /** Closed by us and not gone yet. */
  readonly #leaving = new Set<Connection>()
  readonly #waiting = new Set<Waiter>()
  readonly #reaper: NodeJS.Timeout
  #size = 0
  #opening = 0
  #closing: (() => void) | null = null

  constructor(options: SessionPoolOptions, open: () => Promise<Connection>, health: Health) {
    this.#options = options
    this.#open = open
    this.#health = health
    this.#reaper = setInterval(() => this.#reap(), Math.max(10, Math.min(30_000, options.idleTimeoutMs / 2)))
    this.#reaper.unref()
    for (let i = 0; i < options.min; i++) this.#grow()
  }

  get idle(): number {
    return this.#idle.length
  }
  get active(): number {
    return this.#size - this.#opening - this.#idle.length
  }
  get max(): number {
    return this.#options.max
  }
  get waiting(): number {
    return this.#waiting.size
  }
  /** More are refused at once. */
  get maxWaiting(): number {
    return this.#options.max * QUEUE_PER_CONNECTION
  }
  /** Could a connection be had without waiting for somebody else's? */
  get hasRoom(): boolean {
    return this.#idle.length > 0 || this.#size < this.#options.max
  }

  /**
   * A connection of one's own. Give it back with `release`.
   * @param waitedMs how long the caller has waited elsewhere: it counts
   * @throws SvcError SERVICE_UNAVAILABLE: none free in time, too many waiting, or no server. TIMEOUT: aborted
   */
  acquire(cancel: Cancellable | null, waitedMs = 0): Promise<Connection> {
    if (cancel?.aborted === true) return Promise.reject(abortedError(cancel))
    if (this.#closing !== null) return Promise.reject(unavailable('The service is closing.'))
    const connection = this.#popIdle()
    if (connection !== null) return Promise.resolve(connection)
    if (this.#waiting.size >= this.maxWaiting) return Promise.reject(tooMany())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const reason = this.#health.failure === null ? 'No database connection was free in time.' : UNREACHABLE
        this.#leave(waiter, unavailable(reason, this.#health.failure ?? undefined))
      }, this.#options.acquireTimeoutMs - waitedMs)
      const waiter: Waiter = { cancel, resolve, reject, timer }
      this.#waiting.add(waiter)
      if (cancel !== null) cancel.onAbort = () => this.#leave(waiter, abortedError(cancel))
      if (this.#size < this.#options.max && this.#opening < this.#waiting.size) this.#grow()
    })
  }

  /** Gives the connection back once nothing is in flight on it. */
  release(connection: Connection): void {
    connection.onQuiet(() => this.#takeBack(connection))
  }

  #takeBack(connection: Connection): void {
    if (connection.broken) return
    const [waiter] = this.#waiting
    if (waiter !== undefined) {
      this.#dismiss(waiter)
      waiter.resolve(connection)
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
      if (!connection.broken) return connection
    }
  }

  #leave(waiter: Waiter, error: unknown): void {
    this.#dismiss(waiter)
    waiter.reject(error)
  }

  #dismiss(waiter: Waiter): void {
    clearTimeout(waiter.timer)
    this.#waiting.delete(waiter)
    if (waiter.cancel !== null) waiter.cancel.onAbort = null
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
    const hopeless = this.#size === 0 ? [...this.#waiting] : [...this.#waiting].slice(0, 1)
    for (const waiter of hopeless) this.#leave(waiter, unavailable(UNREACHABLE, error))
    this.#checkClosed()
  }

  #forget(connection: Connection): void {
    this.#size--
    this.#leaving.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    if (this.#waiting.size > this.#opening && this.#size < this.#options.max) this.#grow()
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

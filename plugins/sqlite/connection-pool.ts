import type { Cancellable } from '../../core/doors/driver.ts'
import type { ChildConnection } from './child-connection.ts'
import { abortedError, unavailable, watchAbort } from './driver-errors.ts'

/** Limit on waiting requests, per connection. Further ones are rejected at once. */
const QUEUE_PER_CONNECTION = 200

export interface PoolOptions {
  /** Number of connections that stay open when idle. */
  readonly min: number
  readonly max: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
}

interface Waiter {
  readonly resolve: (connection: ChildConnection) => void
  readonly reject: (error: unknown) => void
}

/** A pool of SQLite connections, either for reading or for writing. One caller uses a connection at a time. */
export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #open: () => Promise<ChildConnection>
  readonly #idle: ChildConnection[] = []
  readonly #all = new Set<ChildConnection>()
  /** Connections that are closing because they were idle. */
  readonly #leaving = new Set<ChildConnection>()
  readonly #waiting = new Set<Waiter>()
  readonly #reaper: NodeJS.Timeout
  #opening = 0
  #closing: (() => void) | null = null

  constructor(options: PoolOptions, open: () => Promise<ChildConnection>) {
    this.#options = options
    this.#open = open
    this.#reaper = setInterval(() => this.#reap(), Math.max(10, Math.min(30_000, options.idleTimeoutMs / 2)))
    this.#reaper.unref()
  }

  get idle(): number {
    return this.#idle.length
  }
  get active(): number {
    return this.#all.size - this.#leaving.size - this.#idle.length
  }
  get connected(): boolean {
    return this.#all.size > 0
  }
  get waiting(): number {
    return this.#waiting.size
  }

  /** Opens the first connection. @throws the error of opening it */
  async openFirst(): Promise<void> {
    this.#takeBack(await this.#grow())
  }

  /** Opens the connections that are kept, without waiting for them. */
  fill(): void {
    for (let missing = this.#options.min - this.#all.size - this.#opening; missing > 0; missing--) this.#growApart()
  }

  /**
   * Lends a connection. Return it with `release`.
   * @throws SvcError SERVICE_UNAVAILABLE: none free in time, too many waiting, closing, or none can be opened. TIMEOUT: aborted
   */
  async acquire(cancel: Cancellable | null): Promise<ChildConnection> {
    if (cancel?.aborted === true) throw abortedError(cancel)
    if (this.#closing !== null) throw unavailable('The service is closing.')
    const connection = this.#idle.pop()
    if (connection !== undefined) return connection
    if (this.#waiting.size >= this.#options.max * QUEUE_PER_CONNECTION) {
      throw unavailable('Too many requests are waiting for a database connection.')
    }
    return new Promise((resolve, reject) => {
      const leave = (error: unknown): void => {
        dismiss()
        reject(error)
      }
      const timer = setTimeout(
        () => leave(unavailable('No database connection was free in time.')),
        this.#options.acquireTimeoutMs,
      )
      const unwatch = watchAbort(cancel, () => leave(abortedError(cancel!)))
      const dismiss = (): void => {
        clearTimeout(timer)
        unwatch()
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter = {
        resolve: (free) => {
          dismiss()
          resolve(free)
        },
        reject: leave,
      }
      this.#waiting.add(waiter)
      this.#growForWaiting()
    })
  }

  /** Takes a connection back once no request is in flight on it. */
  release(connection: ChildConnection): void {
    connection.onQuiet(() => this.#takeBack(connection))
  }

  #takeBack(connection: ChildConnection): void {
    if (connection.broken) return
    const [waiter] = this.#waiting
    if (waiter !== undefined) {
      waiter.resolve(connection)
    } else if (this.#closing !== null) {
      void connection.close()
    } else {
      connection.idleSince = performance.now()
      this.#idle.push(connection)
    }
  }

  #growForWaiting(): void {
    if (this.#waiting.size > this.#opening && this.#all.size + this.#opening < this.#options.max) this.#growApart()
  }

  /** Opens one more connection for waiting callers. If this fails, a caller that waits for it is rejected with the error. */
  #growApart(): void {
    this.#grow().then(
      (connection) => this.#takeBack(connection),
      (error: unknown) => {
        const [waiter] = this.#waiting
        waiter?.reject(unavailable('The database cannot be opened.', error))
        this.#growForWaiting()
        this.#checkClosed()
      },
    )
  }

  async #grow(): Promise<ChildConnection> {
    this.#opening++
    try {
      const connection = await this.#open()
      this.#all.add(connection)
      void connection.ended.then(() => this.#forget(connection))
      return connection
    } finally {
      this.#opening--
    }
  }

  #forget(connection: ChildConnection): void {
    this.#all.delete(connection)
    this.#leaving.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#growForWaiting()
    this.#replace()
    this.#checkClosed()
  }

  /** Replaces an ended connection before the next caller needs it. If this fails, the next caller tries again. */
  #replace(): void {
    if (this.#closing === null && this.#all.size + this.#opening < this.#options.min) this.#growApart()
  }

  #reap(): void {
    const before = performance.now() - this.#options.idleTimeoutMs
    // The connection that has been idle for longest comes first.
    while (this.#all.size - this.#leaving.size > this.#options.min) {
      const [oldest] = this.#idle
      if (oldest === undefined || oldest.idleSince > before) return
      this.#idle.shift()
      this.#leaving.add(oldest)
      void oldest.close()
    }
  }

  /** Closes idle connections now, and the others when they are returned. */
  close(): Promise<void> {
    clearInterval(this.#reaper)
    return new Promise((resolve) => {
      this.#closing = resolve
      for (const connection of this.#idle.splice(0)) void connection.close()
      this.#checkClosed()
    })
  }

  #checkClosed(): void {
    if (this.#all.size === 0 && this.#opening === 0) this.#closing?.()
  }
}

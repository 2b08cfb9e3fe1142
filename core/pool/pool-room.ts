import type { ConnectionLimit } from './connection-limit.ts'
import type { PooledConnection } from './pooled-connection.ts'

/** Number and lifetime of the connections of a pool. */
export interface SessionPoolOptions {
  /** Number of connections that stay open when idle, including shared ones. */
  readonly min: number
  /** Number of connections to open at the start. */
  readonly initial: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
}

/** How a pool opens a connection to its database. */
export interface ConnectionOpener<C extends PooledConnection> {
  /** @throws the error of connecting */
  open(): Promise<C>
  /** Tests whether the server refused a connection because its limit on connections is reached. */
  isRefusal(error: unknown): boolean
}

/** Counts the open connections of a pool, and opens more up to the maximum that the server allows. */
export class PoolRoom<C extends PooledConnection> {
  readonly limit: ConnectionLimit
  readonly #opener: ConnectionOpener<C>
  readonly #onGone: (connection: C) => void
  /** Number of connections, including those that are being opened. */
  size = 0
  opening = 0
  #wasShared = false

  /** @param onGone called when a connection has ended, and is no longer counted */
  constructor(limit: ConnectionLimit, opener: ConnectionOpener<C>, onGone: (connection: C) => void) {
    this.limit = limit
    this.#opener = opener
    this.#onGone = onGone
  }

  get isFull(): boolean {
    return this.size >= this.limit.max
  }

  /** Is there only one connection, because the server allows no more? */
  get isAlone(): boolean {
    return this.limit.granted === 1 && this.isFull
  }

  /**
   * Decides the next use of the only connection: shared statements and callers that wait for a connection of their own get it
   * in turn.
   */
  isTurnOfWaiting(isWanted: boolean): boolean {
    const isTheirs = isWanted && this.isAlone && this.#wasShared
    this.#wasShared = !isTheirs
    return isTheirs
  }

  /** Number of open connections. */
  get standing(): number {
    return this.size - this.opening
  }

  /**
   * @returns `null`: the server refused one more. The open connections are the limit then, and are reused
   * @throws the error of opening a connection
   */
  async open(): Promise<C | null> {
    this.size++
    this.opening++
    try {
      const connection = await this.#opener.open()
      this.opening--
      this.limit.opened(this.standing)
      void connection.ended.then(() => {
        this.size--
        this.#onGone(connection)
      })
      return connection
    } catch (error) {
      this.opening--
      this.size--
      if (this.standing < 1 || !this.#opener.isRefusal(error)) throw error
      this.limit.refused(this.standing, error)
      return null
    } finally {
      if (this.opening === 0) this.limit.settled()
    }
  }
}

import type { Connection } from '../wire/connection.ts'
import { isOutOfConnections } from '../wire/driver-errors.ts'
import type { ConnectionLimit } from './connection-limit.ts'

/** How many connections a pool keeps, and how long. */
export interface SessionPoolOptions {
  /** Kept open, shared ones included. */
  readonly min: number
  /** Opened at once. */
  readonly initial: number
  readonly acquireTimeoutMs: number
  readonly idleTimeoutMs: number
}

/** Counts the connections that there are and opens more, as many as the server grants. */
export class PoolRoom {
  readonly limit: ConnectionLimit
  readonly #open: () => Promise<Connection>
  readonly #onGone: (connection: Connection) => void
  /** Connections, those included that are being opened. */
  size = 0
  opening = 0
  #wasShared = false

  /** @param onGone called when one has ended, and counts no more */
  constructor(limit: ConnectionLimit, open: () => Promise<Connection>, onGone: (connection: Connection) => void) {
    this.limit = limit
    this.#open = open
    this.#onGone = onGone
  }

  get isFull(): boolean {
    return this.size >= this.limit.max
  }

  /** Is there one connection only, because the server grants no more? */
  get isAlone(): boolean {
    return this.limit.granted === 1 && this.isFull
  }

  /**
   * Of the only connection that there is, which came back: it goes to the statements that share connections and to whoever waits
   * for one of its own by turns.
   */
  isTurnOfWaiting(isWanted: boolean): boolean {
    const isTheirs = isWanted && this.isAlone && this.#wasShared
    this.#wasShared = !isTheirs
    return isTheirs
  }

  /** Connections that stand. */
  get standing(): number {
    return this.size - this.opening
  }

  /**
   * @returns `null`: the server refused one more beside those that it has granted. These are all now, and go round
   * @throws what opening a connection throws
   */
  async open(): Promise<Connection | null> {
    this.size++
    this.opening++
    try {
      const connection = await this.#open()
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
      if (this.standing < 1 || !isOutOfConnections(error)) throw error
      this.limit.refused(this.standing, error)
      return null
    } finally {
      if (this.opening === 0) this.limit.settled()
    }
  }
}

import type { SessionPool } from '../../../core/doors/driver.ts'
import type { Connection } from '../wire/connection.ts'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2000

export interface Slot {
  connection: Connection | null
  isFilling: boolean
  /** Milliseconds until the next attempt to open the connection. */
  waitMs: number
}

interface Pause {
  /** Did the attempt fail because no connection was free, instead of because the server could not be reached? */
  readonly forRoom: boolean
  readonly end: () => void
}

/**
 * Keeps the shared connections for small statements open. When one is lost or taken away, it asks the pool for another.
 */
export class LaneSlots {
  readonly all: readonly Slot[]
  readonly #pool: SessionPool<Connection>
  readonly #onFilled: (connection: Connection) => void
  readonly #onEmptied: () => void
  #closing = false
  readonly #pauses = new Set<Pause>()

  constructor(
    count: number,
    pool: SessionPool<Connection>,
    onFilled: (connection: Connection) => void,
    onEmptied: () => void,
  ) {
    this.#pool = pool
    this.#onFilled = onFilled
    this.#onEmptied = onEmptied
    this.all = Array.from({ length: count }, () => ({ connection: null, isFilling: false, waitMs: FIRST_RETRY_MS }))
  }

  /** Fills all slots. Call it once. */
  fill(): void {
    for (const slot of this.all) void this.#fill(slot)
  }

  get connections(): readonly Connection[] {
    return this.all.map((slot) => slot.connection).filter((connection) => connection !== null)
  }

  /** Number of slots with a usable connection, or with one that is being opened. */
  get working(): number {
    let count = 0
    for (const { connection } of this.all) {
      if (connection !== null && !connection.broken && !connection.spoilt && !connection.stuck) count++
    }
    return count
  }

  /**
   * Takes a connection that the pool offers.
   * @param isSpare no caller waits for the connection
   * @returns `true` if it was taken
   */
  offer(connection: Connection, isSpare: boolean): boolean {
    if (this.#closing || (!isSpare && this.working > 0)) return false
    const slot = this.all.find((each) => each.connection === null)
    if (slot === undefined) return false
    this.#seat(slot, connection)
    return true
  }

  /** Returns the connection to the pool, which may use it when the statements in flight have ended. */
  detach(slot: Slot): void {
    const { connection } = slot
    if (connection === null) return
    slot.connection = null
    connection.use = null
    connection.onRoom = null
    this.#pool.adopt(connection)
    void this.#fill(slot)
  }

  /** Gives the least busy connection to a caller that waits for one of its own. The last one is given only if the pool has no other. */
  give(): void {
    let least: Slot | null = null
    if (this.working < 2 && !this.#pool.room.isAlone) return
    for (const slot of this.all) {
      const { connection } = slot
      if (connection === null || !connection.ready || connection.stuck) continue
      if (least === null || connection.load < least.connection!.load) least = slot
    }
    if (least !== null) this.detach(least)
  }

  async #fill(slot: Slot): Promise<void> {
    if (slot.isFilling) return
    slot.isFilling = true
    while (!this.#closing && slot.connection === null) {
      let failed = false
      const connection = await this.#pool.openShared().catch(() => {
        failed = true
        return null
      })
      if (connection !== null && !this.#closing && slot.connection === null) {
        this.#seat(slot, connection)
      } else if (connection !== null) {
        this.#pool.release(connection)
      } else {
        const { waitMs } = slot
        slot.waitMs = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, waitMs * 2))
        await this.#pause(waitMs, !failed)
      }
    }
    slot.isFilling = false
  }

  #seat(slot: Slot, connection: Connection): void {
    const since = performance.now()
    slot.connection = connection
    this.#onFilled(connection)
    void connection.ended.then(() => {
      if (slot.connection !== connection) return
      slot.connection = null
      this.#onEmptied()
      // A connection that lasted is replaced at once. One that was lost at once counts as a failed attempt.
      const isLasting = performance.now() - since > LAST_RETRY_MS
      if (isLasting) slot.waitMs = FIRST_RETRY_MS
      if (isLasting || connection.spoilt) void this.#fill(slot)
      else void this.#pause(slot.waitMs, false).then(() => this.#fill(slot))
    })
  }

  #pause(ms: number, forRoom: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#pauses.delete(pause)
        resolve()
      }
      const timer = setTimeout(end, ms)
      timer.unref()
      const pause: Pause = { forRoom, end }
      this.#pauses.add(pause)
    })
  }

  /** Retries slots that wait for a free connection of the pool. */
  tryNow(): void {
    for (const { forRoom, end } of this.#pauses) if (forRoom) end()
  }

  /** Stops filling slots. */
  stop(): void {
    this.#closing = true
    for (const { end } of this.#pauses) end()
  }
}

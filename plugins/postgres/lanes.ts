import type { Connection } from './connection.ts'
import { unavailable } from './driver-errors.ts'
import { FILL_MS, LaneUse } from './lane-use.ts'
import { expectAtLeast, SLOW_MS, type StatementCost } from './statement-costs.ts'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2000
const MIN_WATCH_MS = 10
const MAX_WATCH_MS = 250
/** So much work of one turn of the event loop goes to one connection. */
const TURN_MS = 2
interface Slot {
  connection: Connection | null
}

/**
 * The few connections that plain statements share, many in flight on each. Each is opened at once and again whenever it
 * is lost. The server works through one connection in order, so a slow statement holds up those behind it: a connection
 * whose head does not move gets no more until it does.
 */
export class Lanes {
  readonly #slots: Slot[]
  readonly #open: () => Promise<Connection>
  readonly #suspects = new Set<Connection>()
  readonly #use: LaneUse
  readonly #waitTimeoutMs: number
  readonly #watch: NodeJS.Timeout
  /** Called when there may be room for a statement, and at times. */
  onRoom: () => void = () => {}
  #turn = 0
  #closing = false
  #wake: (() => void)[] = []

  /** @param waitTimeoutMs how long a read may wait behind others on its connection */
  constructor(count: number, waitTimeoutMs: number, open: () => Promise<Connection>) {
    this.#open = open
    this.#waitTimeoutMs = waitTimeoutMs
    this.#watch = setInterval(
      () => {
        this.#refuseOverdue()
        this.onRoom()
      },
      Math.max(MIN_WATCH_MS, Math.min(MAX_WATCH_MS, waitTimeoutMs / 4)),
    )
    this.#watch.unref()
    this.#use = new LaneUse(count)
    this.#slots = Array.from({ length: count }, () => ({ connection: null }))
    for (const slot of this.#slots) void this.#keepOpen(slot)
  }

  get count(): number {
    return this.#slots.length
  }

  get connections(): readonly Connection[] {
    return this.#slots.map((slot) => slot.connection).filter((connection) => connection !== null)
  }

  /**
   * A connection for the next statement: one that sends further small statements in this turn of the event loop, so that
   * they go out in one write and wake one process of the server; else the first that has little to do, or whichever it is
   * the turn of, as `LaneUse.fills` says. `null` when none can take a statement now.
   * @param now `performance.now()`
   * @param cost what is known of the statement
   * @param desperate take one whose head does not move rather than none
   */
  choose(now: number, { ms, typical }: StatementCost, desperate: boolean): Connection | null {
    let least: Connection | null = null
    let first: Connection | null = null
    let fallback: Connection | null = null
    let load = 0
    let inFlight = 0
    for (const { connection } of this.#slots) {
      if (connection === null || !connection.ready) continue
      inFlight += connection.inFlight
      load += connection.load
      if (connection.stuck) {
        if (desperate && (fallback === null || connection.load < fallback.load)) fallback = connection
      } else if (isOverdue(connection, now)) {
        this.#suspect(connection)
        if (fallback === null || fallback.stuck) fallback = connection
      } else {
        if (connection.isHolding && connection.load + ms <= TURN_MS) return connection
        if (least === null || connection.load < least.load) least = connection
        if (first === null && connection.load + ms <= FILL_MS) first = connection
      }
    }
    if (least === null) return fallback
    if (inFlight === 0) this.#use.wasIdle(now)
    if (first !== null && this.#use.fills(inFlight, typical)) return first
    return this.#inTurn(now, least, load / this.#slots.length)
  }

  /**
   * They take turns, but for those that have clearly more to do than the one with the least. To that one alone all would
   * go when a process of the server is denied a processor: the others then keep every processor busy that it waits for.
   * In turn, the others run dry, and it is back at work sooner.
   */
  #inTurn(now: number, least: Connection, averageLoad: number): Connection {
    for (let passed = 0; passed < this.#slots.length; passed++) {
      this.#turn = (this.#turn + 1) % this.#slots.length
      const { connection } = this.#slots[this.#turn]!
      if (connection === null || !connection.ready || connection.stuck || connection.isFull) continue
      if (connection.load - least.load <= averageLoad && !isOverdue(connection, now)) return connection
    }
    return least
  }

  /**
   * The head has not moved for long. Either the server is at it, or this process was busy and the answer waits to be
   * read: known once the event loop has read its sockets again, which it does between two immediates.
   */
  #suspect(connection: Connection): void {
    if (this.#suspects.has(connection)) return
    this.#suspects.add(connection)
    const { head } = connection
    const check = (): void => {
      this.#suspects.delete(connection)
      if (head === null || connection.head !== head) return
      connection.stuck = true
      if (head.cost !== null) expectAtLeast(head.cost, performance.now() - connection.headSince)
      this.onRoom()
    }
    setImmediate(() => setImmediate(check))
  }

  /** Who waits for a connection of its own is refused in time; so is who waits behind slow ones on a shared one. */
  #refuseOverdue(): void {
    const before = performance.now() - this.#waitTimeoutMs
    for (const { connection } of this.#slots) {
      connection?.failWaiting(before, () => unavailable('No database connection was free in time.'))
    }
  }

  async #keepOpen(slot: Slot): Promise<void> {
    let wait = FIRST_RETRY_MS
    while (!this.#closing) {
      const openedAt = performance.now()
      const connection = await this.#open().catch(() => null)
      if (connection !== null) {
        if (this.#closing) {
          await connection.close()
          return
        }
        slot.connection = connection
        connection.use = this.#use
        connection.onRoom = this.onRoom
        this.onRoom()
        await connection.ended
        slot.connection = null
        this.onRoom()
        // Lost after a while: back at once. Lost at once: as good as not opened.
        if (performance.now() - openedAt > LAST_RETRY_MS) wait = 0
      }
      if (!this.#closing) await this.#pause(wait)
      wait = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, wait * 2))
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      this.#wake.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#watch)
    for (const wake of this.#wake) wake()
    await Promise.all(
      this.connections.map(async (connection) => {
        await new Promise<void>((resolve) => connection.onQuiet(resolve))
        await connection.close()
      }),
    )
  }
}

/** Has its head not moved for longer than a small statement takes? */
function isOverdue(connection: Connection, now: number): boolean {
  return now - connection.headSince > SLOW_MS
}

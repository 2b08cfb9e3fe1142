import { FILL_MS, LaneUse } from '../costs/lane-use.ts'
import { expectAtLeast, SLOW_MS, type StatementCost } from '../costs/statement-costs.ts'
import type { SessionPool } from '../session/session-pool.ts'
import type { Connection } from '../wire/connection.ts'
import { unavailable } from '../wire/driver-errors.ts'
import { LaneSlots, type Slot } from './lane-slots.ts'

/** How often it is looked whether heads move, while there are any. */
const WATCH_MS = 5
/** A head that has stood so long is slow, and its connection is no shared one any more. */
const SURELY_SLOW_MS = 100
/** With fewer that move a replacement is taken at once. */
const LEAST_WORKING = 2
/** What stands behind a head goes elsewhere when that takes so many times as long as it usually does, beyond `SLOW_MS`. */
const OVERDUE_TIMES = 3
/** So much work of one turn of the event loop goes to one connection. */
const TURN_MS = 2

/**
 * The few connections that plain statements share, many in flight on each. The server works through one connection in
 * order, so a slow statement holds up those behind it. Whose head does not move gets no more, the reads behind it go
 * elsewhere, and soon another connection takes its place.
 */
export class Lanes {
  readonly #slots: LaneSlots
  readonly #pool: SessionPool
  readonly #suspects = new Set<Connection>()
  readonly #use: LaneUse
  readonly #waitTimeoutMs: number
  #watch: NodeJS.Timeout | null = null
  /** Called when there may be room for a statement. */
  onRoom: () => void = () => {}
  /** Called with a connection whose reads have to run elsewhere. */
  onStuck: (connection: Connection) => void = () => {}
  #turn = 0

  /**
   * @param waitTimeoutMs how long a read may wait behind others on its connection
   * @param pool has the connections
   */
  constructor(count: number, waitTimeoutMs: number, pool: SessionPool) {
    this.#waitTimeoutMs = waitTimeoutMs
    this.#pool = pool
    this.#use = new LaneUse(count)
    this.#slots = new LaneSlots(
      count,
      pool,
      (connection) => this.#begin(connection),
      () => this.onRoom(),
    )
    pool.onOffer = (connection, isSpare) => this.#slots.offer(connection, isSpare)
    pool.onWanted = () => this.#slots.give()
    pool.onFree = () => this.#slots.tryNow()
    this.#slots.fill()
  }

  get count(): number {
    return this.#slots.all.length
  }

  get connections(): readonly Connection[] {
    return this.#slots.connections
  }

  #begin(connection: Connection): void {
    connection.use = this.#use
    connection.onRoom = this.onRoom
    connection.onSpoilt = this.onStuck
    this.onRoom()
  }

  /**
   * A connection for the next statement: one that sends further small statements in this turn of the event loop, so that
   * they go out in one write and wake one process of the server; else the first that has little to do, or whichever it is
   * the turn of, as `LaneUse.fills` says. `null` when none can take a statement now: never one whose head does not move.
   * @param now `performance.now()`
   * @param cost what is known of the statement
   * @param isRead it can be taken elsewhere if need be
   */
  choose(now: number, { ms, typical }: StatementCost, isRead: boolean): Connection | null {
    let overdue: Connection | null = null
    let least: Connection | null = null
    let first: Connection | null = null
    let load = 0
    let inFlight = 0
    const { all } = this.#slots
    this.#watch ??= setTimeout(this.#look, WATCH_MS)
    for (const { connection } of all) {
      if (connection === null || !connection.ready || connection.stuck) continue
      inFlight += connection.inFlight
      load += connection.load
      if (isOverdue(connection, now)) {
        this.#suspect(connection)
        overdue = connection
      } else {
        if (connection.isHolding && connection.load + ms <= TURN_MS) return connection
        if (least === null || connection.load < least.load) least = connection
        if (first === null && connection.load + ms <= FILL_MS) first = connection
      }
    }
    if (least === null) return isRead ? overdue : null
    if (inFlight === 0) this.#use.wasIdle(now)
    if (first !== null && this.#use.fills(inFlight, typical)) return first
    return this.#inTurn(now, least, load / all.length)
  }

  /**
   * They take turns, but for those that have clearly more to do than the one with the least. To that one alone all would
   * go when a process of the server is denied a processor: the others then keep every processor busy that it waits for.
   * In turn, the others run dry, and it is back at work sooner.
   */
  #inTurn(now: number, least: Connection, averageLoad: number): Connection {
    const { all } = this.#slots
    for (let passed = 0; passed < all.length; passed++) {
      this.#turn = (this.#turn + 1) % all.length
      const { connection } = all[this.#turn]!
      if (connection === null || !connection.ready || connection.stuck || connection.isFull) continue
      if (connection.load - least.load <= averageLoad && !isOverdue(connection, now)) return connection
    }
    return least
  }

  /** Connections whose statement does not move tell nobody. */
  readonly #look = (): void => {
    this.#watch = null
    const now = performance.now()
    let isBusy = false
    for (const slot of this.#slots.all) {
      const { connection } = slot
      if (connection === null || connection.head === null) continue
      isBusy = true
      if (connection.stuck) this.#relieve(slot, connection, now)
      else if (isOverdue(connection, now)) this.#suspect(connection)
    }
    if (isBusy) this.#watch = setTimeout(this.#look, WATCH_MS)
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
      // Others of its kind may wait for the same lock, and could not be taken back.
      if (head.statement.readOnly !== true) connection.warnOfHead()
      if (head.cost !== null) expectAtLeast(head.cost, performance.now() - connection.headSince)
      this.onRoom()
    }
    setImmediate(() => setImmediate(check))
  }

  #relieve(slot: Slot, connection: Connection, now: number): void {
    const stoodMs = now - connection.headSince
    const { planning, cost } = connection.head!
    const plan = planning === 'generic' ? cost?.plan : null
    if (plan && stoodMs > plan.farMs) plan.abandonGeneric()
    if (stoodMs > SLOW_MS + OVERDUE_TIMES * connection.head!.expectedMs) this.onStuck(connection)
    if (stoodMs > this.#waitTimeoutMs) connection.failWaiting(now - this.#waitTimeoutMs, noneFree)
    if (stoodMs >= SURELY_SLOW_MS) connection.warnOfHead()
    if (stoodMs < SURELY_SLOW_MS && this.#slots.working >= LEAST_WORKING) return
    if (!this.#pool.canGive) return
    this.onStuck(connection)
    this.#slots.detach(slot)
  }

  /** Settles when what is in flight has ended; the pool closes the connections. */
  async close(): Promise<void> {
    this.#slots.stop()
    for (const slot of this.#slots.all) this.#slots.detach(slot)
    if (this.#watch !== null) clearTimeout(this.#watch)
  }
}

const noneFree = (): unknown => unavailable('No database connection was free in time.')

/** Has its head not moved for longer than a small statement takes? */
function isOverdue(connection: Connection, now: number): boolean {
  return now - connection.headSince > SLOW_MS
}

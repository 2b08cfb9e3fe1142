import { type SessionPool, unavailable } from '../../../core/doors/driver.ts'
import { FILL_MS, LaneUse } from '../costs/lane-use.ts'
import { expectAtLeast, SLOW_MS, type StatementCost } from '../costs/statement-costs.ts'
import type { Connection } from '../wire/connection.ts'
import { LaneSlots, type Slot } from './lane-slots.ts'

/** Interval of checks for blocked heads, while statements are in flight. */
const WATCH_MS = 5
/** Time after which a blocked head counts as slow. Its connection is then removed from the shared ones. */
const SURELY_SLOW_MS = 100
/** With fewer usable connections a replacement is requested at once. */
const LEAST_WORKING = 2
/** Reads behind a head are moved when it takes this multiple of its usual time plus `SLOW_MS`. */
const OVERDUE_TIMES = 3
/** Limit on the work that one turn of the event loop sends to one connection. */
const TURN_MS = 2

/**
 * The connections that small statements share, with many statements in flight on each. When the first statement of a
 * connection is blocked, the reads behind it move to other connections, and a new connection replaces it.
 */
export class Lanes {
  readonly #slots: LaneSlots
  readonly #pool: SessionPool<Connection>
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
   * @param pool owns the connections
   */
  constructor(count: number, waitTimeoutMs: number, pool: SessionPool<Connection>) {
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
   * Chooses a connection for the next statement. A connection that already got small statements in this turn of the event loop
   * is preferred, so that they go out in one write and wake one server process. Otherwise it is the first with little load, or
   * the next in turn, depending on `LaneUse.fills`. A connection with a blocked head is never chosen. `null`: none is available.
   * @param now `performance.now()`
   * @param cost estimate for the statement
   * @param isRead `true` if the statement can be moved to another connection later
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
   * Chooses connections in turn, and skips those with clearly more load than the least loaded one. Always choosing the least
   * loaded connection would send everything to it while another server process waits for a processor, although the others keep
   * the processors busy. In turn, the others run dry, and the waiting process gets a processor sooner.
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

  /** Checks all connections, because a blocked head emits no event. */
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
   * Checks a head that has not moved for long. Either the server is still working on it, or this process was busy and has not
   * read the answer yet. The event loop reads its sockets between two immediates, which tells the cases apart.
   */
  #suspect(connection: Connection): void {
    if (this.#suspects.has(connection)) return
    this.#suspects.add(connection)
    const { head } = connection
    const check = (): void => {
      this.#suspects.delete(connection)
      if (head === null || connection.head !== head) return
      connection.stuck = true
      // Other runs of the same statement may wait for the same lock, and writes cannot be moved.
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

  /** Resolves when the statements in flight have ended. The pool closes the connections. */
  async close(): Promise<void> {
    this.#slots.stop()
    for (const slot of this.#slots.all) this.#slots.detach(slot)
    if (this.#watch !== null) clearTimeout(this.#watch)
  }
}

const noneFree = (): unknown => unavailable('No database connection was free in time.')

/** Has the head of the connection taken longer than a small statement does? */
function isOverdue(connection: Connection, now: number): boolean {
  return now - connection.headSince > SLOW_MS
}

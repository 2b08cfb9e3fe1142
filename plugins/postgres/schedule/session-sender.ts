import { abortedError, type SessionPool, tooMany } from '../../../core/doors/driver.ts'
import { isSmall, isUneven, maySharePlace, type StatementCost } from '../costs/statement-costs.ts'
import type { Connection } from '../wire/connection.ts'
import type { RunningStatement } from '../wire/running-statement.ts'
import { StatementQueue } from './statement-queue.ts'

/** Runs statements that should not share a connection: each gets a connection of the pool for itself. */
export class SessionSender {
  readonly #pool: SessionPool<Connection>
  /** Queues of statements that have reached their limit of concurrent connections. */
  readonly #waiting = new Map<StatementCost, StatementQueue>()
  #acquiring = 0
  /** Called when a statement has ended or could not start. */
  onEnd: () => void = () => {}
  /** Called with a queued statement that turned out to be small, so that it can use a shared connection. */
  onSmall: (running: RunningStatement) => void = () => {}

  constructor(pool: SessionPool<Connection>) {
    this.#pool = pool
  }

  get waiting(): number {
    // This getter is called for every answer of the server, and the map is mostly empty.
    if (this.#waiting.size === 0) return 0
    let count = 0
    for (const queue of this.#waiting.values()) count += queue.length
    return count
  }

  /** Do as many statements wait for a connection of the pool as the pool may lend? */
  get isFull(): boolean {
    return this.#acquiring >= this.#pool.max
  }

  /** Runs the statement now, or queues it when its kind has reached the limit of concurrent runs. */
  sendInTurn(running: RunningStatement): void {
    const { cost } = running
    const { readOnly } = running.statement
    const isAtOnce = cost === null || running.alone || isUneven(cost)
    if (isAtOnce || cost.spread.mayWiden(maySharePlace(cost, readOnly === true))) {
      void this.send(running)
      return
    }
    if (this.waiting + this.#pool.waiting >= this.#pool.maxWaiting) {
      running.fail(tooMany())
      return
    }
    let queue = this.#waiting.get(cost)
    if (queue === undefined) {
      queue = new StatementQueue()
      this.#waiting.set(cost, queue)
    }
    queue.push(running)
  }

  async send(running: RunningStatement): Promise<void> {
    const { cancel, cost } = running
    let connection: Connection
    if (cost !== null) cost.spread.own++
    this.#acquiring++
    try {
      connection = await this.#pool.acquire(cancel, performance.now() - running.sentAt)
    } catch (error) {
      running.fail(error)
      this.#ended(cost)
      return
    } finally {
      this.#acquiring--
    }
    if (cancel?.aborted === true) {
      this.#pool.release(connection)
      running.fail(abortedError(cancel))
      this.#ended(cost)
      return
    }
    connection.run(running, performance.now())
    this.#pool.release(connection)
    connection.onQuiet(() => this.#ended(cost))
  }

  #ended(cost: StatementCost | null): void {
    if (cost !== null) {
      cost.spread.own--
      this.#sendMore(cost)
    }
    this.onEnd()
  }

  #sendMore(cost: StatementCost): void {
    const queue = this.#waiting.get(cost)
    if (queue === undefined) return
    // Queued statements could wait forever: new runs use shared connections, and no end of a run would start the queued ones.
    if (isSmall(cost)) {
      this.#waiting.delete(cost)
      for (let next = queue.peek(); next !== null; next = queue.peek()) {
        queue.shift()
        this.onSmall(next)
      }
      return
    }
    for (let next = queue.peek(); next !== null && cost.spread.mayWiden(false); next = queue.peek()) {
      queue.shift()
      void this.send(next)
    }
    if (queue.length === 0) this.#waiting.delete(cost)
  }

  /** Fails statements that were queued before a time. @param before `performance.now()` */
  failOverdue(before: number, error: () => unknown): void {
    for (const queue of this.#waiting.values()) queue.failOverdue(before, error)
  }
}

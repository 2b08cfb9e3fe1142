import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { abortedError, type Cancellable, tooMany, unavailable } from 'svc/driver'

/** Requests that may wait, per connection. */
const QUEUE = 100

interface Waiter {
  readonly take: (connection: DuckDBConnection) => void
  readonly fail: (error: Error) => void
}

/** The connections to a file, each lent to one statement, stream or transaction at a time. */
export class Pool {
  readonly #instance: DuckDBInstance
  readonly #max: number
  readonly #timeoutMs: number
  readonly #idle: DuckDBConnection[] = []
  readonly #waiting = new Set<Waiter>()
  #open = 0
  #whenQuiet: (() => void) | null = null

  constructor(instance: DuckDBInstance, max: number, timeoutMs: number) {
    this.#instance = instance
    this.#max = max
    this.#timeoutMs = timeoutMs
  }

  get state() {
    const idle = this.#idle.length
    const connected = this.#whenQuiet === null
    return { active: this.#open - idle, idle, waiting: this.#waiting.size, connected }
  }

  async acquire(cancel: Cancellable | null): Promise<DuckDBConnection> {
    if (cancel?.aborted === true) throw abortedError(cancel)
    if (this.#whenQuiet !== null) throw unavailable('The service is closing.')
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#open >= this.#max) return this.#wait(cancel)
    this.#open++
    return this.#instance.connect().catch((error: unknown) => {
      this.#open--
      throw unavailable('The DuckDB file cannot be opened.', error)
    })
  }

  release(connection: DuckDBConnection): void {
    const [next] = this.#waiting
    if (next === undefined) this.#idle.push(connection)
    else next.take(connection)
    if (this.#idle.length === this.#open) this.#whenQuiet?.()
  }

  /** Rejects new statements, and waits for those that run. */
  async close(): Promise<void> {
    await new Promise<void>((done) => {
      this.#whenQuiet = done
      if (this.#idle.length === this.#open) done()
    })
    for (const connection of this.#idle) connection.closeSync()
    this.#instance.closeSync()
  }

  #wait(cancel: Cancellable | null): Promise<DuckDBConnection> {
    if (this.#waiting.size >= this.#max * QUEUE) throw tooMany()
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer)
        unwatch?.()
        this.#waiting.delete(waiter)
      }
      const fail = (error: Error): void => {
        leave()
        reject(error)
      }
      const take = (connection: DuckDBConnection): void => {
        leave()
        resolve(connection)
      }
      const waiter: Waiter = { take, fail }
      const timer = setTimeout(() => fail(unavailable('No DuckDB connection was free in time.')), this.#timeoutMs)
      const unwatch = cancel?.onAbort(() => fail(abortedError(cancel)))
      this.#waiting.add(waiter)
    })
  }
}

import type { Cancellable } from '../../../core/doors/driver.ts'
import type { Connection } from '../wire/connection.ts'
import { abortedError } from '../wire/driver-errors.ts'

interface Waiter {
  /** Ends listening for the abort of its request. */
  readonly unwatch: (() => void) | undefined
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** Who waits for a connection, the first come first. */
export class Waiting {
  readonly #waiters = new Set<Waiter>()

  get size(): number {
    return this.#waiters.size
  }

  /**
   * @param overdue what to reject with when that time is over
   * @throws what `overdue` gives; SvcError TIMEOUT: aborted
   */
  wait(cancel: Cancellable | null, ms: number, overdue: () => unknown): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#leave(waiter, overdue()), ms)
      const unwatch = cancel?.onAbort(() => this.#leave(waiter, abortedError(cancel)))
      const waiter: Waiter = { unwatch, resolve, reject, timer }
      this.#waiters.add(waiter)
    })
  }

  /** @returns `false`: nobody waits */
  serve(connection: Connection): boolean {
    const [waiter] = this.#waiters
    if (waiter === undefined) return false
    this.#dismiss(waiter)
    waiter.resolve(connection)
    return true
  }

  /** Rejects the first so many. */
  refuse(most: number, error: () => unknown): void {
    for (const waiter of [...this.#waiters].slice(0, most)) this.#leave(waiter, error())
  }

  #leave(waiter: Waiter, error: unknown): void {
    this.#dismiss(waiter)
    waiter.reject(error)
  }

  #dismiss(waiter: Waiter): void {
    clearTimeout(waiter.timer)
    this.#waiters.delete(waiter)
    waiter.unwatch?.()
  }
}

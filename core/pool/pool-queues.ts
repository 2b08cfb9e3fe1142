import type { Cancellable } from '../contract/cancellable.ts'
import { abortedError } from './pool-errors.ts'
import type { PooledConnection } from './pooled-connection.ts'

/** Idle connections of a pool, ordered by their last use; the longest unused is first. */
export class IdleConnections<C extends PooledConnection> {
  readonly #all: C[] = []

  get size(): number {
    return this.#all.length
  }

  add(connection: C): void {
    connection.idleSince = performance.now()
    this.#all.push(connection)
  }

  /** Takes the most recently used connection that is still usable. Unusable ones before it are retired. */
  take(): C | null {
    for (;;) {
      const connection = this.#all.pop()
      if (connection === undefined) return null
      if (connection.isTrusted) return connection
      connection.retire()
    }
  }

  /** The connection that has been idle for longest, if it became idle before this time. */
  takeOldest(before = Number.POSITIVE_INFINITY): C | null {
    const [oldest] = this.#all
    if (oldest === undefined || oldest.idleSince > before) return null
    this.#all.shift()
    return oldest
  }

  drop(connection: C): void {
    const index = this.#all.indexOf(connection)
    if (index >= 0) this.#all.splice(index, 1)
  }
}

interface Waiter<C> {
  /** Removes the abort listener from the request. */
  readonly unwatch: (() => void) | undefined
  readonly resolve: (connection: C) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** Callers that wait for a connection of the pool, first come, first served. */
export class Waiting<C extends PooledConnection> {
  readonly #waiters = new Set<Waiter<C>>()

  get size(): number {
    return this.#waiters.size
  }

  /**
   * @param overdue creates the error of a caller that waited too long
   * @throws the error of `overdue`, or SvcError TIMEOUT for an aborted request
   */
  wait(cancel: Cancellable | null, ms: number, overdue: () => unknown): Promise<C> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#leave(waiter, overdue()), ms)
      const unwatch = cancel?.onAbort(() => this.#leave(waiter, abortedError(cancel)))
      const waiter: Waiter<C> = { unwatch, resolve, reject, timer }
      this.#waiters.add(waiter)
    })
  }

  /** @returns `false` when no caller waits */
  serve(connection: C): boolean {
    const [waiter] = this.#waiters
    if (waiter === undefined) return false
    this.#dismiss(waiter)
    waiter.resolve(connection)
    return true
  }

  /** Rejects up to `most` callers, in the order of arrival. */
  refuse(most: number, error: () => unknown): void {
    for (const waiter of [...this.#waiters].slice(0, most)) this.#leave(waiter, error())
  }

  #leave(waiter: Waiter<C>, error: unknown): void {
    this.#dismiss(waiter)
    waiter.reject(error)
  }

  #dismiss(waiter: Waiter<C>): void {
    clearTimeout(waiter.timer)
    this.#waiters.delete(waiter)
    waiter.unwatch?.()
  }
}

import type { Connection } from '../wire/connection.ts'

/** Connections that nobody uses, the longest idle first. */
export class IdleConnections {
  readonly #all: Connection[] = []

  get size(): number {
    return this.#all.length
  }

  add(connection: Connection): void {
    connection.idleSince = performance.now()
    this.#all.push(connection)
  }

  /** The one that was used last, if it can be used again. */
  take(): Connection | null {
    for (;;) {
      const connection = this.#all.pop()
      if (connection === undefined) return null
      if (connection.isTrusted) return connection
      connection.retire()
    }
  }

  /** The one that has been idle for longest, if that is since before this time. */
  takeOldest(before = Number.POSITIVE_INFINITY): Connection | null {
    const [oldest] = this.#all
    if (oldest === undefined || oldest.idleSince > before) return null
    this.#all.shift()
    return oldest
  }

  drop(connection: Connection): void {
    const index = this.#all.indexOf(connection)
    if (index >= 0) this.#all.splice(index, 1)
  }
}

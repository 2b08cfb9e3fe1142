import type { SocketOperation } from './socket-operation.ts'

/** Most messages before the connection is authenticated. */
const MOST_EARLY = 100
/** Most concurrent operations of a connection, of all kinds. */
const MOST_OPEN = 10_000

/** The open operations of a WebSocket connection, with limits on their number and on the size of their messages. */
export class OpenOperations {
  readonly #mostBytes: number
  readonly #all = new Map<string, { readonly operation: SocketOperation; readonly bytes: number }>()
  #bytes = 0

  /** @param mostBytes limit on the sum of message sizes: document and variables stay in memory as long as the subscription */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  has(id: string): boolean {
    return this.#all.has(id)
  }

  /** @returns `false` when a limit is reached */
  add(operation: SocketOperation, bytes: number): boolean {
    if (this.#all.size >= MOST_OPEN || this.#bytes + bytes > this.#mostBytes) return false
    this.#all.set(operation.id, { operation, bytes })
    this.#bytes += bytes
    return true
  }

  /** Removes an operation. @returns the operation with this id */
  take(id: string): SocketOperation | undefined {
    const found = this.#all.get(id)
    if (found === undefined) return undefined
    this.#all.delete(id)
    this.#bytes -= found.bytes
    return found.operation
  }

  /** Removes an operation that has ended, unless another one has the same id by now. */
  delete(operation: { readonly id: string }): void {
    if (this.#all.get(operation.id)?.operation === operation) this.take(operation.id)
  }

  clear(): readonly SocketOperation[] {
    const open = [...this.#all.values()].map(({ operation }) => operation)
    this.#all.clear()
    this.#bytes = 0
    return open
  }
}

/**
 * Queues messages that a client sends on a WebSocket before its connection is authenticated, with limits on number and
 * size.
 */
export class EarlyWords {
  readonly #mostBytes: number
  #waiting: (() => void)[] = []
  #bytes = 0

  /** @param mostBytes limit on the sum of message sizes */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** @returns `false` when a limit is reached */
  add(bytes: number, work: () => void): boolean {
    if (this.#waiting.length >= MOST_EARLY || this.#bytes + bytes > this.#mostBytes) return false
    this.#waiting.push(work)
    this.#bytes += bytes
    return true
  }

  /** Handles all queued messages, in their order. */
  run(): void {
    const waiting = this.#waiting
    this.clear()
    for (const work of waiting) work()
  }

  clear(): void {
    this.#waiting = []
    this.#bytes = 0
  }
}

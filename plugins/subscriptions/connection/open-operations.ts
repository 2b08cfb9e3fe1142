import type { SocketOperation } from './socket-operation.ts'

/** Operations of one connection at once, of whatever kind. */
const MOST = 10_000

/** What a connection has begun and not ended, bounded in number and in the size of what was said to begin it. */
export class OpenOperations {
  readonly #mostBytes: number
  readonly #all = new Map<string, { readonly operation: SocketOperation; readonly bytes: number }>()
  #bytes = 0

  /** @param mostBytes of the messages: what is asked and its variables live as long as the subscription */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  has(id: string): boolean {
    return this.#all.has(id)
  }

  /** @returns whether there was room for it */
  add(operation: SocketOperation, bytes: number): boolean {
    if (this.#all.size >= MOST || this.#bytes + bytes > this.#mostBytes) return false
    this.#all.set(operation.id, { operation, bytes })
    this.#bytes += bytes
    return true
  }

  /** @returns what had this id */
  take(id: string): SocketOperation | undefined {
    const found = this.#all.get(id)
    if (found === undefined) return undefined
    this.#all.delete(id)
    this.#bytes -= found.bytes
    return found.operation
  }

  /** It is over, unless another has taken its place. */
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

import { LRUCache } from 'lru-cache'
import type { KeyValueStore } from '../../core/doors/plugin.ts'
import { hashOf } from './persisted-query.ts'

/** Memory of an entry besides the text: its hash and the entry of the map. */
const BYTES_PER_ENTRY = 300

export interface DocumentStoreOptions {
  readonly maxEntries: number
  readonly maxBytes: number
  /**
   * Store that several machines share; `null`: none. If it is unavailable, a lookup counts as a miss, and the client
   * sends the document.
   */
  readonly shared: KeyValueStore | null
  readonly ttlMs: number
}

/**
 * Stores GraphQL documents of automatic persisted queries by SHA-256: in this process, and optionally in a shared
 * store.
 */
export class DocumentStore {
  readonly #texts: LRUCache<string, string>
  readonly #shared: KeyValueStore | null
  readonly #ttlMs: number

  constructor({ maxEntries, maxBytes, shared, ttlMs }: DocumentStoreOptions) {
    this.#texts = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: (text) => BYTES_PER_ENTRY + text.length * 2,
    })
    this.#shared = shared
    this.#ttlMs = ttlMs
  }

  /** Finds a document in this process. */
  get(hash: string): string | undefined {
    return this.#texts.get(hash)
  }

  /** Finds a document in the shared store. @returns `null` for no document, or when the store is unavailable, which it logs itself */
  async find(hash: string): Promise<string | null> {
    const text = (await this.#shared?.get(hash).catch(() => null)) ?? null
    // Otherwise an attacker with write access to the store could replace a document.
    if (text === null || hashOf(text) !== hash) return null
    this.keep(hash, text)
    return text
  }

  /** Stores a document in this process. */
  keep(hash: string, text: string): void {
    this.#texts.set(hash, text)
  }

  /** Stores a document in this process and in the shared store. The request does not wait for the latter. */
  store(hash: string, text: string): void {
    this.keep(hash, text)
    void this.#shared?.set(hash, text, this.#ttlMs).catch(() => {})
  }

  /** Removes the documents of this process, but not those of the shared store and other machines. @returns number of documents */
  clear(): number {
    const { size } = this.#texts
    this.#texts.clear()
    return size
  }

  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#texts.size, bytes: this.#texts.calculatedSize }
  }

  async close(): Promise<void> {
    await this.#shared?.close()
  }

  get isShared(): boolean {
    return this.#shared !== null
  }
}

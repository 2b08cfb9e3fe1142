import { LRUCache } from 'lru-cache'
import type { KeyValueStore } from '../../core/doors/plugin.ts'
import { hashOf } from './persisted-query.ts'

/** Of a text in V8, two bytes a character at most, with its hash and their places in the map. */
const BYTES_PER_ENTRY = 300

export interface DocumentStoreOptions {
  readonly maxEntries: number
  readonly maxBytes: number
  /** Shared with other machines. What it cannot say now is a miss: the client then sends the document. */
  readonly shared: KeyValueStore | null
  readonly ttlMs: number
}

/** Texts of documents by their hash. */
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

  /** What this process keeps. */
  get(hash: string): string | undefined {
    return this.#texts.get(hash)
  }

  /** What other machines stored. @returns `null` = nothing, or the store cannot be reached; it says so itself */
  async find(hash: string): Promise<string | null> {
    const text = (await this.#shared?.get(hash).catch(() => null)) ?? null
    // Who can write there could else have one document run in the name of another.
    if (text === null || hashOf(text) !== hash) return null
    this.keep(hash, text)
    return text
  }

  /** In this process alone. */
  keep(hash: string, text: string): void {
    this.#texts.set(hash, text)
  }

  /** In this process, and for other machines. The request does not wait for those. */
  store(hash: string, text: string): void {
    this.keep(hash, text)
    void this.#shared?.set(hash, text, this.#ttlMs).catch(() => {})
  }

  /** Forgets what this process keeps; other machines and the shared store keep theirs. @returns how many documents */
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

import { SvcError } from '../../base/errors/svc-error.ts'
import type { KeyValueStore } from '../../contract/store.ts'

export interface MemoryStoreOptions {
  /** Maximum number of keys in the store. */
  readonly maxEntries: number
  /** Maximum length of all values together, in characters. Default: no limit. */
  readonly maxBytes?: number
  /**
   * What a new key does when the store is full: `refuse` throws SERVICE_UNAVAILABLE, `evict` removes the oldest key.
   */
  readonly whenFull: 'refuse' | 'evict'
  readonly now?: () => number
}

interface Entry {
  value: string
  readonly expiresAt: number
}

/** A key-value store in the memory of this process, which other processes of the service do not share. */
export class MemoryStore implements KeyValueStore {
  readonly kind = 'memory'
  readonly #entries = new Map<string, Entry>()
  readonly #maxEntries: number
  readonly #maxBytes: number
  /** Characters of all values. */
  #bytes = 0
  readonly #evicts: boolean
  readonly #now: () => number
  #sweptAt: number

  constructor({ maxEntries, maxBytes = Number.POSITIVE_INFINITY, whenFull, now = Date.now }: MemoryStoreOptions) {
    this.#maxEntries = maxEntries
    this.#maxBytes = maxBytes
    this.#evicts = whenFull === 'evict'
    this.#now = now
    this.#sweptAt = now()
  }

  /** Number of entries, including expired ones. */
  get size(): number {
    return this.#entries.size
  }

  async get(key: string): Promise<string | null> {
    return this.#live(key)?.value ?? null
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#put(key, value, ttlMs)
  }

  async add(key: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.#live(key) !== undefined) return false
    this.#put(key, value, ttlMs)
    return true
  }

  async take(key: string): Promise<string | null> {
    const value = this.#live(key)?.value ?? null
    this.#drop(key)
    return value
  }

  async delete(key: string): Promise<boolean> {
    const isThere = this.#live(key) !== undefined
    this.#drop(key)
    return isThere
  }

  async increment(key: string, ttlMs: number, by = 1): Promise<{ value: number; ttlMs: number }> {
    const found = this.#live(key) ?? this.#put(key, '0', ttlMs)
    const value = Number(found.value) + by
    this.#bytes -= found.value.length
    found.value = String(value)
    this.#bytes += found.value.length
    return { value, ttlMs: found.expiresAt - this.#now() }
  }

  async close(): Promise<void> {
    this.#entries.clear()
    this.#bytes = 0
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.expiresAt > this.#now()) return entry
    this.#drop(key)
    return undefined
  }

  #put(key: string, value: string, ttlMs: number): Entry {
    // Removed and added again, so that entries are in the order of their creation.
    this.#drop(key)
    if (!this.#hasRoomFor(value)) this.#makeRoom(value)
    const entry = { value, expiresAt: this.#now() + ttlMs }
    this.#entries.set(key, entry)
    this.#bytes += value.length
    return entry
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.value.length
  }

  #hasRoomFor({ length }: string): boolean {
    return this.#entries.size < this.#maxEntries && this.#bytes + length <= this.#maxBytes
  }

  #makeRoom(value: string): void {
    const now = this.#now()
    // At most once per second, because a scan for each new entry would make floods expensive.
    if (now - this.#sweptAt >= 1000) {
      this.#sweptAt = now
      for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#drop(key)
    }
    while (!this.#hasRoomFor(value)) {
      const oldest = this.#entries.keys().next()
      if (!this.#evicts || oldest.done === true) {
        throw new SvcError('SERVICE_UNAVAILABLE', 'Too much of this is going on. Try again later.', { retryAfter: 1 })
      }
      this.#drop(oldest.value)
    }
  }
}

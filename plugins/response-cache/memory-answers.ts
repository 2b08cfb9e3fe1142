import { LRUCache } from 'lru-cache'
import type { Result } from '../../core/doors/plugin.ts'
import type { Answers, Lookup } from './answers.ts'

/** Slots per entry of the cache: a key that is repeated after that many other keys counts as new. */
const SLOTS_PER_ENTRY = 2
const FEWEST = 1 << 10
/** Limit on the number of slots: 4 MiB. */
const MOST = 1 << 20

export interface MemoryAnswersOptions {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly evicted: () => void
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

interface Entry {
  readonly result: Result
  readonly views: readonly string[]
  readonly endsAt: number
  readonly bytes: number
}

/** Memory of an entry besides its text: key, lists, entries of maps. */
const BYTES_PER_ENTRY = 500
/** Fraction of the memory limit from which the cache counts as full, since the size of the next response is unknown. */
const FULL = 7 / 8
const NO_PLACE: Lookup = { found: null, keep: null }

/** The cache of query results in the memory of this process. */
export class MemoryAnswers implements Answers {
  readonly #entries: LRUCache<string, Entry>
  readonly #byView = new Map<string, Set<string>>()
  /** Sequence number of the last write to each view. */
  readonly #writtenAt = new Map<string, number>()
  #allWrittenAt = 0
  #writes = 0
  readonly #now: () => number
  readonly #maxEntries: number
  readonly #fullBytes: number
  readonly #recentKeys: RecentKeys

  constructor({ maxEntries, maxBytes, evicted, now = () => performance.now() }: MemoryAnswersOptions) {
    this.#now = now
    this.#maxEntries = maxEntries
    this.#fullBytes = maxBytes * FULL
    this.#recentKeys = new RecentKeys(maxEntries)
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: (entry, key, reason) => {
        for (const view of entry.views) this.#forget(view, key)
        if (reason === 'evict') evicted()
      },
    })
  }

  look(key: string, views: readonly string[]): Lookup {
    const entry = this.#entries.get(key)
    if (entry !== undefined) {
      if (entry.endsAt > this.#now()) return new MemoryLookup(entry.result, this, key, views, 0)
      this.#entries.delete(key)
    }
    // A full cache evicts entries only for a request that was made before.
    if (this.#isFull() && !this.#recentKeys.note(key)) return NO_PLACE
    return new MemoryLookup(null, this, key, views, this.#writes)
  }

  /** Stores an answer. @param since number of reported writes at the time of the look-up */
  keep(key: string, views: readonly string[], since: number, result: Result, ttlMs: number): void {
    if (this.#allWrittenAt > since) return
    for (const view of views) if ((this.#writtenAt.get(view) ?? 0) > since) return
    const { text } = result
    text?.keep()
    const length = text === undefined ? (result.data?.length ?? 0) * 2 : text.held
    this.#entries.set(key, { result, views, endsAt: this.#now() + ttlMs, bytes: length + BYTES_PER_ENTRY })
    if (!this.#entries.has(key)) return
    for (const view of views) {
      const keys = this.#byView.get(view)
      if (keys === undefined) this.#byView.set(view, new Set([key]))
      else keys.add(key)
    }
  }

  invalidate(views: readonly string[] | null): number {
    const before = this.#entries.size
    this.#writes++
    if (views === null) {
      this.#allWrittenAt = this.#writes
      this.#entries.clear()
      return before
    }
    for (const view of views) {
      this.#writtenAt.set(view, this.#writes)
      for (const key of this.#byView.get(view) ?? []) this.#entries.delete(key)
    }
    return before - this.#entries.size
  }

  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }

  async close(): Promise<void> {
    this.#entries.clear()
  }

  #isFull(): boolean {
    return this.#entries.size >= this.#maxEntries || this.#entries.calculatedSize >= this.#fullBytes
  }

  #forget(view: string, key: string): void {
    const keys = this.#byView.get(view)
    keys?.delete(key)
    if (keys?.size === 0) this.#byView.delete(view)
  }
}

class MemoryLookup implements Lookup {
  readonly found: Result | null
  readonly #answers: MemoryAnswers
  readonly #key: string
  readonly #views: readonly string[]
  readonly #since: number

  constructor(found: Result | null, answers: MemoryAnswers, key: string, views: readonly string[], since: number) {
    this.found = found
    this.#answers = answers
    this.#key = key
    this.#views = views
    this.#since = since
  }

  keep(result: Result, ttlMs: number): void {
    this.#answers.keep(this.#key, this.#views, this.#since, result, ttlMs)
  }
}

/**
 * Remembers roughly which keys were requested recently, in a fixed amount of memory. A full cache stores only results
 * that are requested again, so that single requests evict nothing (the doorkeeper of TinyLFU, Einziger et al. 2017).
 */
export class RecentKeys {
  readonly #slots: Uint32Array
  readonly #mask: number

  /** @param entries limit on the entries of the cache */
  constructor(entries: number) {
    const slots = 2 ** Math.ceil(Math.log2(Math.min(MOST, Math.max(FEWEST, entries * SLOTS_PER_ENTRY))))
    this.#slots = new Uint32Array(slots)
    this.#mask = slots - 1
  }

  /**
   * Records a request.
   * @param key a digest in letters, of at least twelve characters, whose first ones serve as a hash
   * @returns `true` if the key was requested recently; rarely (one in millions) by mistake
   */
  note(key: string): boolean {
    const place = mix(key, 0) & this.#mask
    // 0 is a slot that was never used.
    const mark = (mix(key, 6) | 1) >>> 0
    if (this.#slots[place] === mark) return true
    this.#slots[place] = mark
    return false
  }
}

/** Combines six characters of six bits to a number, all bits of which are equally random. */
function mix(key: string, from: number): number {
  let mixed = 0
  for (let i = from; i < from + 6; i++) mixed = Math.imul(mixed ^ key.charCodeAt(i), 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

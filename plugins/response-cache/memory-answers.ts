import { LRUCache } from 'lru-cache'
import type { Result } from '../../core/doors/plugin.ts'
import type { Answers, Lookup } from './answers.ts'
import { AskedBefore } from './asked-before.ts'

export interface MemoryAnswersOptions {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly evicted: () => void
  /** Milliseconds that never run backwards. */
  readonly now?: () => number
}

interface Entry {
  readonly result: Result
  readonly views: readonly string[]
  readonly endsAt: number
  readonly bytes: number
}

/** Of an entry beside its text: key, lists, places in maps. */
const BYTES_PER_ENTRY = 500
/** Of the memory that it may take: from there on it is full. An answer is not known before it is made. */
const FULL = 7 / 8
const NO_PLACE: Lookup = { found: null, keep: null }

/** Answers in this process. */
export class MemoryAnswers implements Answers {
  readonly #entries: LRUCache<string, Entry>
  readonly #byView = new Map<string, Set<string>>()
  /** When something was last written to a view, counted in writes. */
  readonly #writtenAt = new Map<string, number>()
  #allWrittenAt = 0
  #writes = 0
  readonly #now: () => number
  readonly #maxEntries: number
  readonly #fullBytes: number
  readonly #askedBefore: AskedBefore

  constructor({ maxEntries, maxBytes, evicted, now = () => performance.now() }: MemoryAnswersOptions) {
    this.#now = now
    this.#maxEntries = maxEntries
    this.#fullBytes = maxBytes * FULL
    this.#askedBefore = new AskedBefore(maxEntries)
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
    // What is kept goes for nothing that may never be asked for again.
    if (this.#isFull() && !this.#askedBefore.note(key)) return NO_PLACE
    return new MemoryLookup(null, this, key, views, this.#writes)
  }

  /** @param since writes that had been told when the look was made */
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

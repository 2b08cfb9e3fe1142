import { SvcError } from '../../../core/doors/plugin.ts'

/** Store of replies to requests with an `Idempotency-Key`, as texts with a lifetime. */
export interface AnswerStore {
  /**
   * Reserves a key for a running request.
   * @param caller caller to whose share of the memory the entry counts
   * @param value text to store until `set` replaces it
   * @returns `false` when the key is already in use
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  claim(key: string, caller: string, value: string, ttlMs: number): Promise<boolean>
  get(key: string): Promise<string | null>
  /** Replaces the value of a key that this request has reserved, usually by the reply. */
  set(key: string, caller: string, value: string, ttlMs: number): Promise<void>
  delete(key: string): Promise<boolean>
  close(): Promise<void>
}

export interface MemoryAnswersOptions {
  readonly maxEntries: number
  /** Maximum size of all values together, in characters. */
  readonly maxBytes: number
  /** Maximum number of keys that requests in progress of one caller may reserve. */
  readonly maxRunning: number
  readonly now?: () => number
}

interface Entry {
  readonly caller: string
  readonly value: string
  readonly expiresAt: number
}

interface Share {
  /** Keys of stored replies, oldest first. */
  readonly kept: Set<string>
  running: number
  bytes: number
}

/** Share of the memory that one caller may use. Replies of a caller above it are evicted first. */
const LARGEST_SHARE = 1 / 8

/**
 * Store of replies with an `Idempotency-Key` in the memory of this process. Keys of requests in progress are never
 * evicted. Stored replies are evicted oldest first, beginning with callers that exceed their share.
 */
export class MemoryAnswers implements AnswerStore {
  readonly #running = new Map<string, Entry>()
  /** Stored replies, oldest first. */
  readonly #kept = new Map<string, Entry>()
  readonly #shares = new Map<string, Share>()
  readonly #options: MemoryAnswersOptions
  readonly #now: () => number
  #bytes = 0
  #sweptAt = 0

  constructor(options: MemoryAnswersOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** Numbers of claims and stored replies, and the size of the latter. */
  get size(): { readonly running: number; readonly kept: number; readonly bytes: number } {
    return { running: this.#running.size, kept: this.#kept.size, bytes: this.#bytes }
  }

  async claim(key: string, caller: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.#live(key) !== undefined) return false
    const { maxEntries, maxRunning } = this.#options
    if (this.#running.size >= maxEntries || this.#shareOf(caller).running >= maxRunning) this.#sweep()
    if (this.#shareOf(caller).running >= maxRunning) {
      throw new SvcError(
        'SERVICE_UNAVAILABLE',
        `At most ${maxRunning} requests with an Idempotency-Key may be under way.`,
        {
          retryAfter: 1,
        },
      )
    }
    if (this.#running.size >= maxEntries) {
      throw new SvcError('SERVICE_UNAVAILABLE', 'Too many requests with an Idempotency-Key are under way.', {
        retryAfter: 1,
      })
    }
    this.#running.set(key, { caller, value, expiresAt: this.#now() + ttlMs })
    this.#shareOf(caller, true).running += 1
    return true
  }

  async get(key: string): Promise<string | null> {
    return this.#live(key)?.value ?? null
  }

  async set(key: string, caller: string, value: string, ttlMs: number): Promise<void> {
    // Removes the old entry first, so that entries stay in insertion order.
    this.#drop(key)
    const share = this.#shareOf(caller, true)
    this.#kept.set(key, { caller, value, expiresAt: this.#now() + ttlMs })
    this.#bytes += value.length
    share.kept.add(key)
    share.bytes += value.length
    this.#makeRoom(share)
  }

  async delete(key: string): Promise<boolean> {
    const isThere = this.#live(key) !== undefined
    this.#drop(key)
    return isThere
  }

  async close(): Promise<void> {
    this.#running.clear()
    this.#kept.clear()
    this.#shares.clear()
    this.#bytes = 0
  }

  /** Evicts replies. @param share share of the caller whose reply was stored last */
  #makeRoom(share: Share): void {
    const { maxEntries, maxBytes } = this.#options
    const isFull = (): boolean => this.#kept.size > maxEntries || this.#bytes > maxBytes
    const isLarge = (): boolean =>
      share.kept.size > maxEntries * LARGEST_SHARE || share.bytes > maxBytes * LARGEST_SHARE
    if (!isFull() && !isLarge()) return
    this.#sweep()
    while (isLarge() && share.kept.size > 1) this.#dropFirst(share.kept)
    while (isFull()) this.#dropFirst(this.#exceedsFairShare(share) ? share.kept : this.#kept.keys())
  }

  /** Does a caller use more than an equal share of the memory? */
  #exceedsFairShare({ kept, bytes }: Share): boolean {
    const callers = this.#shares.size
    return kept.size > 1 && (kept.size * callers > this.#kept.size || bytes * callers > this.#bytes)
  }

  #dropFirst(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#drop(key)
      return
    }
  }

  #live(key: string): Entry | undefined {
    const entry = this.#running.get(key) ?? this.#kept.get(key)
    if (entry === undefined || entry.expiresAt > this.#now()) return entry
    this.#drop(key)
    return undefined
  }

  /** Removes expired entries, at most once per interval. */
  #sweep(): void {
    const now = this.#now()
    if (now - this.#sweptAt < 1000) return
    this.#sweptAt = now
    for (const entries of [this.#running, this.#kept])
      for (const [key, { expiresAt }] of entries) if (expiresAt <= now) this.#drop(key)
  }

  #drop(key: string): void {
    const running = this.#running.get(key)
    const entry = running ?? this.#kept.get(key)
    if (entry === undefined) return
    const share = this.#shareOf(entry.caller, true)
    if (running !== undefined) {
      this.#running.delete(key)
      share.running -= 1
    } else {
      this.#kept.delete(key)
      this.#bytes -= entry.value.length
      share.kept.delete(key)
      share.bytes -= entry.value.length
    }
    if (share.running === 0 && share.kept.size === 0) this.#shares.delete(entry.caller)
  }

  /** Returns the share of a caller. @param open `true`: create and register it if it does not exist */
  #shareOf(caller: string, open = false): Share {
    let share = this.#shares.get(caller)
    if (share === undefined) {
      share = { kept: new Set(), running: 0, bytes: 0 }
      if (open) this.#shares.set(caller, share)
    }
    return share
  }
}

/**
 * Where a store keeps its values: `memory` of the process, `kvstore` (a Redis server), or `sqldb` (a table of the
 * database).
 */
export type StoreKind = 'memory' | 'kvstore' | 'sqldb'

/**
 * A store of texts by key, with expiry, for data that outlives a request: login states, rate limits, cached responses.
 * While the store is unreachable, all calls reject with SERVICE_UNAVAILABLE; there is no fallback.
 */
export interface KeyValueStore {
  readonly kind: StoreKind
  /** Returns the value of a key; `null`: there is none, or it has expired. */
  get(key: string): Promise<string | null>
  /** Sets the value of a key, which expires after `ttlMs` milliseconds. An existing value is replaced. */
  set(key: string, value: string, ttlMs: number): Promise<void>
  /**
   * Sets the value of a key if it has none. Of concurrent calls, exactly one succeeds.
   * @returns whether the value was set
   */
  add(key: string, value: string, ttlMs: number): Promise<boolean>
  /** Returns the value of a key and removes it; `null`: there is none. Of concurrent calls, only one gets the value. */
  take(key: string): Promise<string | null>
  /** Removes the value of a key. @returns whether there was one */
  delete(key: string): Promise<boolean>
  /**
   * Adds `by` (default 1) to the counter of a key, atomically. A counter that does not exist begins at 0 and expires
   * `ttlMs` milliseconds later; further calls do not prolong it.
   * @returns the new value and the remaining lifetime
   */
  increment(key: string, ttlMs: number, by?: number): Promise<StoreCounter>
  /** Closes connections and frees memory of this client of the store. Stored values stay. */
  close(): Promise<void>
}

export interface StoreCounter {
  readonly value: number
  /** Milliseconds until the counter expires. */
  readonly ttlMs: number
}

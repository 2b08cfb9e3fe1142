/** Kind of a store: memory of the process, a key-value server (Redis), or a table of the database. */
export type StoreKind = 'memory' | 'kvstore' | 'sqldb'

/**
 * A store of texts by key, with expiry, for data beyond a request that is not part of the schema: login states, rate limits, stored
 * answers. While the store is unreachable all calls reject; there is no fallback.
 */
export interface KeyValueStore {
  readonly kind: StoreKind
  /** Reads a value. @throws SvcError SERVICE_UNAVAILABLE, like all methods */
  get(key: string): Promise<string | null>
  /** Sets a value, which expires after `ttlMs` milliseconds. */
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** Sets a value if the key is absent. Of concurrent calls one succeeds. @returns whether the value was set */
  add(key: string, value: string, ttlMs: number): Promise<boolean>
  /** Reads and removes a value. If several calls compete, only one gets the value. */
  take(key: string): Promise<string | null>
  /** Removes a value. @returns whether the key existed */
  delete(key: string): Promise<boolean>
  /** Adds to a counter. It expires `ttlMs` milliseconds after its first call; later calls do not prolong it. */
  increment(key: string, ttlMs: number, by?: number): Promise<StoreCounter>
  /** Releases connections and memory of the client. Stored values stay. */
  close(): Promise<void>
}

export interface StoreCounter {
  readonly value: number
  /** Milliseconds until the counter expires. */
  readonly ttlMs: number
}

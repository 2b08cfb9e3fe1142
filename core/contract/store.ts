/** Where keys and values are kept: in this process, in a key-value server (Redis), in a table of the database. */
export type StoreKind = 'memory' | 'kvstore' | 'sqldb'

/**
 * Texts by key, each with an end. For what outlives a request and is no data of the schema: states of a login, windows of a
 * limit, answers that are repeated. Every call of one that cannot be reached is rejected; nobody falls back to another.
 */
export interface KeyValueStore {
  readonly kind: StoreKind
  /** @throws SvcError SERVICE_UNAVAILABLE, as all of them */
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** Sets what is not there yet; of several at once one succeeds. @returns was it set? */
  add(key: string, value: string, ttlMs: number): Promise<boolean>
  /** Reads and removes; of several at once one gets it. */
  take(key: string): Promise<string | null>
  /** @returns was it there? */
  delete(key: string): Promise<boolean>
  /** Adds to a counter, whose time begins with the first call and is not prolonged. */
  increment(key: string, ttlMs: number, by?: number): Promise<StoreCounter>
  /** Lets go of what is held for it. What was stored stays. */
  close(): Promise<void>
}

export interface StoreCounter {
  readonly value: number
  /** Milliseconds until it begins anew. */
  readonly ttlMs: number
}

import type { MaybePromise, Result } from '../../core/doors/plugin.ts'

/** Result of a cache look-up: the cached query result, or a function that caches a new one. */
export interface Lookup {
  readonly found: Result | null
  /**
   * Caches a new query result, unless a view that it reads was written after the look-up. It never throws and works in
   * the background. `null`: the cache is full, so the result is not cached.
   */
  readonly keep: ((this: Lookup, result: Result, ttlMs: number) => void) | null
}

/** A cache of query results, in memory or in Redis. */
export interface Answers {
  /**
   * Looks up the result of a query.
   * @param key equal for requests with the same result
   * @param views views that the query reads
   * @returns never rejects: an error counts as a miss
   */
  look(key: string, views: readonly string[]): MaybePromise<Lookup>
  /**
   * Removes cached results that read one of the views. After it, no result from before this call is returned or cached.
   * @param views names of views; `null`: all results
   * @returns the number of removed results, if known
   */
  invalidate(views: readonly string[] | null): MaybePromise<number>
  readonly size: { readonly entries: number; readonly bytes: number }
  close(): Promise<void>
}

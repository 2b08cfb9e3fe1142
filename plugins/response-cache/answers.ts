import type { MaybePromise, Result } from '../../core/doors/plugin.ts'

/** Result of a cache look-up: a cached result, or a function that stores the new result. */
export interface Lookup {
  readonly found: Result | null
  /**
   * Stores the result, unless one of its views was written after the look-up. Never throws, and runs in the background.
   * `null`: the cache has no room, and the result is not stored.
   */
  readonly keep: ((this: Lookup, result: Result, ttlMs: number) => void) | null
}

/** A store of cached query results. */
export interface Answers {
  /**
   * Looks up a cached result.
   * @param key equal for requests with the same result
   * @param views the views that the result is read from
   * @returns never rejects: an error counts as a miss
   */
  look(key: string, views: readonly string[]): MaybePromise<Lookup>
  /**
   * Invalidates cached results. Once it is done, no earlier result that reads one of the views is returned or stored.
   * @param views names of views; `null`: all
   * @returns the number of removed results, if it is known
   */
  invalidate(views: readonly string[] | null): MaybePromise<number>
  readonly size: { readonly entries: number; readonly bytes: number }
  close(): Promise<void>
}

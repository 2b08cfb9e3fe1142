import type { MaybePromise, Result } from '../../core/doors/plugin.ts'

/** The result of a look-up: a cached answer, or a function to store the new one. */
export interface Lookup {
  readonly found: Result | null
  /**
   * Stores the answer, unless one of its views was written after the look-up. Never throws, and runs in the background.
   * `null`: the cache has no room, and the answer is not stored.
   */
  readonly keep: ((this: Lookup, result: Result, ttlMs: number) => void) | null
}

/** Stores answers. */
export interface Answers {
  /**
   * @param key equal for requests with the same answer
   * @param views the views that the answer is read from
   * @returns never rejects: an error counts as a miss
   */
  look(key: string, views: readonly string[]): MaybePromise<Lookup>
  /**
   * Invalidates answers. Once it is done, no earlier answer that reads one of the views is returned or stored.
   * @param views `null`: all
   * @returns the number of removed answers, if it is known
   */
  invalidate(views: readonly string[] | null): MaybePromise<number>
  readonly size: { readonly entries: number; readonly bytes: number }
  close(): Promise<void>
}

import type { MaybePromise, Result } from '../../core/doors/plugin.ts'

/** An answer that was looked for: it is there, or this keeps it when it has been made. */
export interface Lookup {
  readonly found: Result | null
  /**
   * Keeps what was made since the look, unless something that it was read from was written meanwhile.
   * Never throws, and nobody waits for it. `null` = there is no place for it: it is not to be called.
   */
  readonly keep: ((this: Lookup, result: Result, ttlMs: number) => void) | null
}

/** Where answers are kept. */
export interface Answers {
  /**
   * @param key equal for requests whose answers are the same
   * @param views that the answer is read from
   * @returns never rejects: what cannot be said is not there
   */
  look(key: string, views: readonly string[]): MaybePromise<Lookup>
  /**
   * From when it is done no answer that was read from one of these before is given, nor kept.
   * @param views `null` = all
   * @returns how many answers went, where that is known
   */
  invalidate(views: readonly string[] | null): MaybePromise<number>
  readonly size: { readonly entries: number; readonly bytes: number }
  close(): Promise<void>
}

import type { MaybePromise, StoreCounter } from '../../core/doors/plugin.ts'

/** How a bucket fills up. */
export interface Rate {
  readonly perSecond: number
  /** Capacity of the bucket. */
  readonly burst: number
}

/** Kind of a bucket: of an address or a user, each with its own rate. */
export type Kind = 'ip' | 'user'

/**
 * Who is locked out together: an address, and of IPv6 the site around it, by kind of credential. What is counted within a lock, and
 * the time of it, are its own.
 */
export interface Lock {
  readonly name: string
  /** The failed attempt that locks. */
  readonly max: number
}

/** What came of asking for a token. Belongs to whoever gave it, and holds until the next one asks. */
export interface Taken {
  readonly allowed: boolean
  /** Remaining tokens, with fractions. */
  readonly tokens: number
  /** Milliseconds for which the client is locked out; 0 = it is not. */
  readonly lockedMs: number
}

/** Where requests are counted. */
export interface Limits {
  /**
   * Takes a token out of a bucket.
   * @param locks looked at besides: any of them locks out
   */
  take(kind: Kind, key: string, locks: readonly Lock[]): MaybePromise<Taken>
  /** Counts a request within a window, which begins with its first. @throws SvcError SERVICE_UNAVAILABLE */
  count(window: string, client: string, windowMs: number): Promise<StoreCounter>
  /** Counts a failed attempt for each; the one that is too many locks. @throws SvcError SERVICE_UNAVAILABLE */
  fail(locks: readonly Lock[]): MaybePromise<void>
  close(): Promise<void>
}

export interface LimitRules {
  readonly rates: Readonly<Record<Kind, Rate>>
  readonly lockoutMs: number
}

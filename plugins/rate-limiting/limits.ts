import type { KeyValueStore, MaybePromise } from '../../core/doors/plugin.ts'

/** Rate at which a token bucket is filled. */
export interface Rate {
  readonly perSecond: number
  /** Capacity of the token bucket. */
  readonly burst: number
}

/** Kind of a token bucket: one per IP address, or one per user. Each kind has its own rate. */
export type Kind = 'ip' | 'user'

/**
 * A lockout group: an address, or the site around an IPv6 address, for one kind of credential. Each has its own count of failures
 * and its own end of the lockout.
 */
export interface Lock {
  readonly name: string
  /** Number of failed attempts after which the client is locked out. */
  readonly max: number
}

/** The result of taking a token. Implementations may reuse the object: it is valid until the next call. */
export interface Taken {
  readonly allowed: boolean
  /** Remaining tokens in the bucket, with fractions. */
  readonly tokens: number
  /** Remaining milliseconds of the lockout; 0: not locked out. */
  readonly lockedMs: number
}

/** Counts requests and failed attempts. */
export interface Limits {
  /**
   * Takes a token from a bucket.
   * @param locks lockouts to check as well. If any of them is active, the client is locked out
   */
  take(kind: Kind, key: string, locks: readonly Lock[]): MaybePromise<Taken>
  /**
   * Counts a request within a time window, which begins with its first request.
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  count(window: string, client: string, windowMs: number): ReturnType<KeyValueStore['increment']>
  /**
   * Counts a failed attempt for each lockout. A lockout that reaches its limit becomes active.
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  fail(locks: readonly Lock[]): MaybePromise<void>
  close(): Promise<void>
}

export interface LimitRules {
  readonly rates: Readonly<Record<Kind, Rate>>
  readonly lockoutMs: number
}

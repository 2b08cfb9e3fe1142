import type { KeyValueStore, MaybePromise } from '../../core/doors/plugin.ts'

/** Rate limit as a token bucket: each request takes a token, and `perSecond` tokens are added per second. */
export interface Rate {
  readonly perSecond: number
  /** Maximum number of tokens in the bucket: the requests that a client may send at once. */
  readonly burst: number
}

/** What a rate limit counts by: the IP address or the authenticated user. Each has its own rate. */
export type Kind = 'ip' | 'user'

/**
 * A count of failed attempts, which locks out a network for one kind of credential. An IPv6 client has two: for its /64
 * network and for its /48 network.
 */
export interface Lock {
  readonly name: string
  /** Number of failed attempts that starts the lockout. */
  readonly max: number
}

/** Result of taking a token from a rate limit. It is valid until the next call, because the object may be reused. */
export interface Taken {
  readonly allowed: boolean
  /** Tokens that remain in the bucket; a fraction is possible. */
  readonly tokens: number
  /** Remaining milliseconds of the lockout; 0: not locked out. */
  readonly lockedMs: number
}

/** Store of rate limits and failed logins, in memory or in Redis. */
export interface Limits {
  /**
   * Takes a token from the bucket of a client, and checks whether the client is locked out.
   * @param key address or user, by `kind`
   * @param locks lockouts that apply to the client; it is locked out if any is active
   */
  take(kind: Kind, key: string, locks: readonly Lock[]): MaybePromise<Taken>
  /**
   * Counts a request in a fixed time window, which begins with the first request.
   * @param window name of the limit
   * @param client address of the client
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  count(window: string, client: string, windowMs: number): ReturnType<KeyValueStore['increment']>
  /**
   * Counts a failed attempt for each lockout. Those that reach `max` become active.
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  fail(locks: readonly Lock[]): MaybePromise<void>
  close(): Promise<void>
}

export interface LimitRules {
  readonly rates: Readonly<Record<Kind, Rate>>
  readonly lockoutMs: number
}

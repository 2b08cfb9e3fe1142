import type { MaybePromise, StoreCounter } from '../../core/index.ts'

/** How a bucket fills up. */
export interface Rate {
  readonly perSecond: number
  /** What it holds. */
  readonly burst: number
}

/** Who counts: an address (with its rate) or a user. */
export type Kind = 'ip' | 'user'

/** What came of asking for a token. Belongs to whoever gave it, and holds until the next one asks. */
export interface Taken {
  readonly allowed: boolean
  /** What is left, parts of a token included. */
  readonly tokens: number
  /** Milliseconds for which the client is locked out; 0 = it is not. */
  readonly lockedMs: number
}

/** Where requests are counted. */
export interface Limits {
  /**
   * Takes a token out of a bucket.
   * @param client whose lock is looked at besides
   */
  take(kind: Kind, key: string, client: string): MaybePromise<Taken>
  /** Counts a request within a window, which begins with its first. @throws SvcError SERVICE_UNAVAILABLE */
  count(window: string, client: string, windowMs: number): Promise<StoreCounter>
  /** Counts a failed attempt; the one that is too many locks the client out. @throws SvcError SERVICE_UNAVAILABLE */
  fail(client: string): MaybePromise<void>
  close(): Promise<void>
}

export interface LimitRules {
  readonly rates: Readonly<Record<Kind, Rate>>
  readonly maxAttempts: number
  readonly lockoutMs: number
}

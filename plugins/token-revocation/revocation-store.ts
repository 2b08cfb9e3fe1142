import type { VerifiedToken } from '../jwt/api.ts'

/** What tells one token from all others, and how long it has to be remembered. */
export interface TokenRef {
  /** The empty text: it has none. */
  readonly issuer: string
  readonly jti: string | null
  readonly subject: string | null
  /** Seconds since 1970. */
  readonly issuedAt: number | null
  /** How far the clock of who issued it may be ahead: seconds. */
  readonly aheadSecs: number
  /** Milliseconds since 1970, the skew that is allowed included. */
  readonly endsAt: number
}

/** Where it is kept what was revoked. All reject with SERVICE_UNAVAILABLE while it cannot be reached. */
export interface RevocationStore {
  /** Also remembers that there is such a token, for `revokeAll` to count. */
  isRevoked(token: TokenRef): Promise<boolean>
  /** Until its end. Again is no fault. */
  revoke(token: TokenRef & { readonly jti: string }): Promise<void>
  /**
   * Every token of the subject that was issued up to this second, whether it has come here before or not.
   * @returns how many of those that are known were not revoked before
   */
  revokeAll(subject: string, nowMs: number): Promise<number>
  close(): Promise<void>
}

export function refOf(token: VerifiedToken, skewSecs: number): TokenRef {
  const { issuer, jti, subject, issuedAt, ownClock, expiresAt } = token
  const endsAt = Math.ceil((expiresAt + skewSecs) * 1000)
  return { issuer: issuer ?? '', jti, subject, issuedAt, aheadSecs: ownClock ? 0 : skewSecs, endsAt }
}

/**
 * May it have been issued before all tokens of its subject were revoked? One that does not say when it was issued may have been, and so may
 * one whose time is no later than what the clock of its issuer may be ahead.
 * @param notBefore seconds since 1970: tokens of that second and before are revoked
 */
export function isBefore({ issuedAt, aheadSecs }: TokenRef, notBefore: number): boolean {
  return issuedAt === null || Math.floor(issuedAt) <= notBefore + aheadSecs
}

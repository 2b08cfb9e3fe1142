import type { VerifiedToken } from '../jwt/api.ts'

/** Identity of a token, and the time until which its revocation must be stored. */
export interface TokenRef {
  /** Issuer of the token; empty without one. */
  readonly issuer: string
  readonly jti: string | null
  readonly subject: string | null
  /** Time of issue in seconds since 1970; `null`: unknown. */
  readonly issuedAt: number | null
  /** Seconds by which the clock of the issuer may be ahead. */
  readonly aheadSecs: number
  /** Expiry in milliseconds since 1970, including the allowed clock skew. */
  readonly endsAt: number
}

/** Stores revocations. All functions reject with SERVICE_UNAVAILABLE while the store cannot be reached. */
export interface RevocationStore {
  /** Tests whether a token is revoked. Also records the token, so that `revokeAll` can count it. */
  isRevoked(token: TokenRef): Promise<boolean>
  /** Revokes a token until it expires. Further calls have no effect. */
  revoke(token: TokenRef & { readonly jti: string }): Promise<void>
  /**
   * Revokes every token of the subject that was issued up to this second, including tokens that were never used here.
   * @returns the number of known tokens that were not revoked before
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
 * Tests whether a token may have been issued before all tokens of its subject were revoked. Assumed for a token without
 * a time of issue, and for one whose time is later by no more than the clock of its issuer may be ahead.
 * @param notBefore seconds since 1970: tokens of that second and before are revoked
 */
export function isBefore({ issuedAt, aheadSecs }: TokenRef, notBefore: number): boolean {
  return issuedAt === null || Math.floor(issuedAt) <= notBefore + aheadSecs
}

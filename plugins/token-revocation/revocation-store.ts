import type { VerifiedToken } from '../jwt/api.ts'

/** Identifies a JWT, and says until when its revocation must be stored. */
export interface TokenRef {
  /** Issuer of the token; empty: the token has none. */
  readonly issuer: string
  readonly jti: string | null
  readonly subject: string | null
  /** Time of issue in seconds since 1970; `null`: unknown. */
  readonly issuedAt: number | null
  /** Seconds by which the issuer's clock may be ahead of the clock of svc. 0 for tokens that svc issued. */
  readonly aheadSecs: number
  /** Expiry in milliseconds since 1970, including the tolerated clock skew. */
  readonly endsAt: number
}

/** Stores revoked tokens. All functions reject with SERVICE_UNAVAILABLE while the store is unreachable. */
export interface RevocationStore {
  /** Tests whether a token is revoked. It also records the token, so that `revokeAll` can count it. */
  isRevoked(token: TokenRef): Promise<boolean>
  /** Revokes a token until it expires. Revoking it again has no effect. */
  revoke(token: TokenRef & { readonly jti: string }): Promise<void>
  /**
   * Revokes every token of a subject that was issued until now, including tokens that were never used here.
   * @param nowMs current time in milliseconds since 1970
   * @returns the number of recorded tokens that were not revoked before
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
 * Tests whether a token was issued before all tokens of its subject were revoked. In doubt the result is `true`:
 * without a time of issue, or if the clock of the issuer may be ahead.
 * @param notBefore seconds since 1970; tokens issued in this second or earlier are revoked
 */
export function isBefore({ issuedAt, aheadSecs }: TokenRef, notBefore: number): boolean {
  return issuedAt === null || Math.floor(issuedAt) <= notBefore + aheadSecs
}

import type { Auth, Exchange, MaybePromise } from '../../core/doors/plugin.ts'
import type { JwtOptions } from './options.ts'

export { checkAddress } from './fetch-json.ts'
export { readBearer } from './read-bearer.ts'

/**
 * A JWT whose signature, issuer, audience and times were verified. It is immutable; requests with the same token share
 * it.
 */
export interface VerifiedToken {
  readonly auth: Auth
  readonly issuer: string | null
  readonly subject: string | null
  /** The `jti` claim; `null` when the token has none, or one that is unfit for storage. */
  readonly jti: string | null
  /** Time of issue in seconds since 1970; `null` when the token has no `iat` claim. */
  readonly issuedAt: number | null
  /** `true` if svc issued the token, so that `issuedAt` is by the clock of svc and not by that of another issuer. */
  readonly ownClock: boolean
  /** Expiry time in seconds since 1970, without the tolerated clock skew. */
  readonly expiresAt: number
}

/**
 * API of the jwt plugin for plugins that read tokens from a cookie or a body, or that end sessions before tokens
 * expire.
 */
export interface Tokens {
  /** `true` if the configuration has a key or issuer with which tokens can be verified. */
  readonly isConfigured: boolean
  /** Tolerated clock difference to issuers: svc accepts a token for this number of seconds after `expiresAt`. */
  readonly clockSkewSecs: number
  /**
   * Verifies signature, issuer, audience and times of a JWT. It does not run the hook `jwt:verified`, which checks
   * revocation.
   * @throws SvcError UNAUTHENTICATED; SERVICE_UNAVAILABLE when the keys of the issuer cannot be fetched
   */
  verify(token: string): MaybePromise<VerifiedToken>
  /**
   * Verifies a JWT and runs the hook `jwt:verified`, which checks revocation.
   * @returns the caller that the token identifies
   * @throws errors of {@link Tokens.verify} and of the hook
   */
  authenticate(ctx: Exchange, token: string): MaybePromise<Auth>
  /**
   * Issues a JWT that this plugin itself accepts. `null` when the configuration has no key to sign with (`jwt_secret`
   * with HS256, or `jwt_private_key`).
   * @param claims claims besides `iss`, `aud`, `iat`, `exp` and `jti`
   * @param ttlSecs seconds until the token expires
   */
  readonly issue: ((claims: Readonly<Record<string, unknown>>, ttlSecs: number) => Promise<string>) | null
  /**
   * Ends the session of a token before the token expires. The hook `jwt:ended` must make the service reject the token
   * from now on.
   * @returns `false` when no plugin uses `jwt:ended`, so that the token stays valid
   */
  end(token: VerifiedToken): Promise<boolean>
  /**
   * Runs the hook `jwt:verified` again for a token that was accepted before, even if it has expired. For sessions that
   * outlive their token.
   * @throws errors of the hook, for example for a revoked token
   */
  check(ctx: Exchange, token: VerifiedToken): MaybePromise<void>
  /**
   * Returns the JWT that authenticated a caller; `null` for another kind of credential.
   * @param auth the object that `authenticate` returned, not a copy
   */
  tokenOf(auth: Auth): VerifiedToken | null
}

declare module '../../core/doors/plugin.ts' {
  interface SecuritySection extends Partial<JwtOptions> {}
  interface Provided {
    tokens: Tokens
  }
  interface Stages {
    /**
     * Kind series. Runs for every request with a valid token, even when the verification was cached. A throw refuses the
     * request. Plugins for revocation hook it.
     */
    'jwt:verified': { kind: 'series'; handler: (ctx: Exchange, token: VerifiedToken) => MaybePromise<void> }
    /** Kind series. Runs when a session ends before its token expires. */
    'jwt:ended': { kind: 'series'; handler: (token: VerifiedToken) => MaybePromise<void> }
  }
}

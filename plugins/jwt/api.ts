import type { Auth, Exchange, MaybePromise } from '../../core/doors/plugin.ts'
import type { JwtOptions } from './options.ts'

export { checkAddress } from './fetch-json.ts'
export { readBearer } from './read-bearer.ts'

/** A token whose signature, issuer, audience and time were verified. It is immutable; requests with the same token share it. */
export interface VerifiedToken {
  readonly auth: Auth
  readonly issuer: string | null
  readonly subject: string | null
  /** The `jti` claim; `null` when the token has none, or a value that cannot be stored. */
  readonly jti: string | null
  /** Time of issue in seconds since 1970; `null` when the token does not state it. */
  readonly issuedAt: number | null
  /**
   * `true` if svc itself created the token. Then `issuedAt` is by the clock of this service, not by the clock of an
   * issuer.
   */
  readonly ownClock: boolean
  /** Seconds since 1970, without the allowed clock skew. */
  readonly expiresAt: number
}

/** API for plugins that read tokens from other places (a cookie, a body), or end them before they expire. */
export interface Tokens {
  /** `true` if a key to verify tokens is configured. */
  readonly isConfigured: boolean
  /**
   * Tolerated difference between the clocks of an issuer and of this service: a token is accepted for this many seconds
   * after `expiresAt`.
   */
  readonly clockSkewSecs: number
  /**
   * Verifies a token without the hooks of `jwt:verified`.
   * @throws SvcError UNAUTHENTICATED; SERVICE_UNAVAILABLE when the keys of its issuer cannot be fetched
   */
  verify(token: string): MaybePromise<VerifiedToken>
  /**
   * Verifies a token, runs the hooks of `jwt:verified`, and returns the caller.
   * @throws errors of `verify` and of these hooks
   */
  authenticate(ctx: Exchange, token: string): MaybePromise<Auth>
  /**
   * Makes a token that this plugin itself verifies. `null` when no key to sign with is configured (`jwt_secret` with HS256,
   * or `jwt_private_key`).
   * @param claims further claims, besides `iss`, `aud`, `iat`, `exp` and `jti`
   */
  readonly issue: ((claims: Readonly<Record<string, unknown>>, ttlSecs: number) => Promise<string>) | null
  /**
   * Ends a session before its token expires. It runs the hooks of `jwt:ended`, which have to refuse the token from now on.
   * @returns `false` when no plugin hooks `jwt:ended`
   */
  end(token: VerifiedToken): Promise<boolean>
  /**
   * Checks again, with the hooks of `jwt:verified`, a token that was accepted before. Its expiry is ignored. For sessions,
   * which outlive their token.
   * @throws errors of those hooks
   */
  check(ctx: Exchange, token: VerifiedToken): MaybePromise<void>
  /** Returns the token of a caller; `null` when the caller has another kind of credential. */
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

import type { Auth, Exchange, MaybePromise } from '../../core/doors/plugin.ts'
import type { JwtOptions } from './options.ts'

export { checkAddress } from './fetch-json.ts'
export { readBearer } from './read-bearer.ts'

/** A token whose signature, issuer, audience and time were verified. Immutable, and shared by the requests that bring it. */
export interface VerifiedToken {
  readonly auth: Auth
  readonly issuer: string | null
  readonly subject: string | null
  /** `null`: there is none that could be kept. */
  readonly jti: string | null
  /** Seconds since 1970. */
  readonly issuedAt: number | null
  /** svc made it itself: `issuedAt` is by the clock of this service, and not by one that may be off. */
  readonly ownClock: boolean
  /** Seconds since 1970, without the skew that is allowed. */
  readonly expiresAt: number
}

/** For plugins that take tokens from elsewhere (a cookie, a body), and for those that end them early. */
export interface Tokens {
  /** Is there a key to verify any with? */
  readonly isConfigured: boolean
  /** How far the clock of an issuer may be off: a token is accepted this many seconds beyond `expiresAt`. */
  readonly clockSkewSecs: number
  /**
   * Verifies a token without asking `jwt:verified`: is it genuine?
   * @throws SvcError UNAUTHENTICATED, SERVICE_UNAVAILABLE (its issuer's keys cannot be had)
   */
  verify(token: string): MaybePromise<VerifiedToken>
  /**
   * Who brings this token: verified, and let through by `jwt:verified`.
   * @throws as `verify`, and what those hooks throw
   */
  authenticate(ctx: Exchange, token: string): MaybePromise<Auth>
  /**
   * Makes a token of svc's own, which this very plugin verifies. `null`: no key of the configuration signs any
   * (`jwt_secret` with HS256, or `jwt_private_key`).
   * @param claims what it says beside `iss`, `aud`, `iat`, `exp` and `jti`
   */
  readonly issue: ((claims: Readonly<Record<string, unknown>>, ttlSecs: number) => Promise<string>) | null
  /**
   * A session ends before its token does: whoever hooks `jwt:ended` sees to it that the token is refused from now on.
   * @returns is there somebody?
   */
  end(token: VerifiedToken): Promise<boolean>
  /**
   * Would this token, which was let in before, be let in now, its end aside? For what outlives it: a session.
   * @throws what the hooks of `jwt:verified` throw
   */
  check(ctx: Exchange, token: VerifiedToken): MaybePromise<void>
  /** The token that this was made of; `null`: it came with another credential. */
  tokenOf(auth: Auth): VerifiedToken | null
}

declare module '../../core/doors/plugin.ts' {
  interface SecuritySection extends Partial<JwtOptions> {}
  interface Provided {
    tokens: Tokens
  }
  interface Stages {
    /**
     * Kind series. Runs on every request that brings a genuine token, whether it was verified now or before; a throw
     * refuses it. Revocation lives here.
     */
    'jwt:verified': { kind: 'series'; handler: (ctx: Exchange, token: VerifiedToken) => MaybePromise<void> }
    /** Kind series. Runs when a session ends before its token does. */
    'jwt:ended': { kind: 'series'; handler: (token: VerifiedToken) => MaybePromise<void> }
  }
}

import type { VerifiedToken } from '../jwt/api.ts'

/** API of the token revocation plugin, for plugins that end sessions. */
export interface Revocations {
  /**
   * Revokes a JWT until it expires.
   * @throws SvcError SERVICE_UNAVAILABLE; BAD_USER_INPUT when the token has no `jti`
   */
  revoke(token: VerifiedToken): Promise<void>
  /**
   * Revokes all JWTs of a subject that were issued until now.
   * @returns the number of revoked tokens that were used here before
   */
  revokeAll(subject: string): Promise<number>
  /**
   * Calls the listener after each revocation, in whichever process of the service, so that open connections can be
   * checked.
   */
  onChange(listener: () => void): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    revocations: Revocations
  }
}

import type { VerifiedToken } from '../jwt/api.ts'

/** API for plugins that end sessions by revoking tokens. */
export interface Revocations {
  /** Revokes a token. @throws SvcError SERVICE_UNAVAILABLE; BAD_USER_INPUT when the token has no `jti` */
  revoke(token: VerifiedToken): Promise<void>
  /** Revokes all tokens of a subject. @returns the number of known tokens that it revoked */
  revokeAll(subject: string): Promise<number>
  /** Calls the listener after a revocation in this process or another one of the service, to check open connections again. */
  onChange(listener: () => void): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    revocations: Revocations
  }
}

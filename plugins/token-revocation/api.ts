import type { VerifiedToken } from '../jwt/api.ts'

/** For plugins that end sessions. */
export interface Revocations {
  /** @throws SvcError SERVICE_UNAVAILABLE, BAD_USER_INPUT: the token has no `jti` */
  revoke(token: VerifiedToken): Promise<void>
  /** @returns how many known tokens it ended */
  revokeAll(subject: string): Promise<number>
  /** Calls back when this process, or another that serves with it, has revoked something: for what outlives a request. */
  onChange(listener: () => void): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    revocations: Revocations
  }
}

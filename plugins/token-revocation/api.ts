import type { VerifiedToken } from '../jwt/api.ts'

/** For plugins that end sessions. */
export interface Revocations {
  /** @throws SvcError SERVICE_UNAVAILABLE, BAD_USER_INPUT: the token has no `jti` */
  revoke(token: VerifiedToken): Promise<void>
  /** @returns how many known tokens it ended */
  revokeAll(subject: string): Promise<number>
}

declare module '../../core/index.ts' {
  interface Provided {
    revocations: Revocations
  }
}

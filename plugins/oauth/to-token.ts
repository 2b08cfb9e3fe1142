import type { VerifiedToken } from '../jwt/api.ts'
import type { LastToken } from './sessions.ts'

/**
 * Converts the claims of a session's latest access token for the hooks that check revocation. The result grants no
 * permissions.
 */
export function toToken(last: LastToken): VerifiedToken {
  return { ...last, auth: { subject: last.subject, claims: {}, scopes: [], roles: [], method: 'oauth' } }
}

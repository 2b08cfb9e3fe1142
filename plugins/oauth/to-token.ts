import type { VerifiedToken } from '../jwt/api.ts'
import type { LastToken } from './sessions.ts'

/** Converts the last token of a session for the token revocation plugin. It has no permissions and grants no access. */
export function toToken(last: LastToken): VerifiedToken {
  return { ...last, auth: { subject: last.subject, claims: {}, scopes: [], roles: [], method: 'oauth' } }
}

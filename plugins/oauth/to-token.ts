import type { VerifiedToken } from '../jwt/api.ts'
import type { LastToken } from './sessions.ts'

/** The token that a session made last, for the plugin that looks after tokens. What it allowed is not kept: nobody is let in by it. */
export function toToken(last: LastToken): VerifiedToken {
  return { ...last, auth: { subject: last.subject, claims: {}, scopes: [], roles: [], method: 'oauth' } }
}

import { isDeepStrictEqual } from 'node:util'
import type { Auth } from '../../../core/doors/plugin.ts'

/** When a token was made, and until when it holds: no right depends on it, and its end is watched by itself. */
const OF_THE_TOKEN = ['iat', 'exp', 'nbf', 'jti']

/** Is this who it was, with all that access may depend on: scopes, roles, tenant and every other claim? */
export function sameRights(before: Auth, now: Auth | null): boolean {
  if (now === before) return true
  return now !== null && isDeepStrictEqual(rightsOf(before), rightsOf(now))
}

/** In no order that somebody's store happens to answer in. */
function rightsOf({ subject, method, scopes, roles, claims }: Auth): unknown {
  const held = Object.entries(claims).filter(([name]) => !OF_THE_TOKEN.includes(name))
  return { subject, method, scopes: new Set(scopes), roles: new Set(roles), claims: new Map(held) }
}

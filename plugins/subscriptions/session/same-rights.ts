import { isDeepStrictEqual } from 'node:util'
import type { Auth } from '../../../core/doors/plugin.ts'

/** Claims about the token itself, on which no right depends. Its expiry is watched separately. */
const OF_THE_TOKEN = ['iat', 'exp', 'nbf', 'jti']

/** Is it the same caller with the same rights: scopes, roles and all claims? */
export function sameRights(before: Auth, now: Auth | null): boolean {
  if (now === before) return true
  return now !== null && isDeepStrictEqual(rightsOf(before), rightsOf(now))
}

/** The rights of a caller, as sets and maps, because a store may return them in any order. */
function rightsOf({ subject, method, scopes, roles, claims }: Auth): unknown {
  const held = Object.entries(claims).filter(([name]) => !OF_THE_TOKEN.includes(name))
  return { subject, method, scopes: new Set(scopes), roles: new Set(roles), claims: new Map(held) }
}

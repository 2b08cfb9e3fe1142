import { randomUUID } from 'node:crypto'
import { claims, hs256, nowSecs } from '../../plugins/jwt/who.ts'
import type { Headers, Who } from './cells.ts'

export const API_KEY = 'svc_0123456789abcdef.a-key-of-the-matrix-that-is-long-enough-to-be-one'

export function tokenOf(more: object = {}): string {
  return hs256(claims({ jti: randomUUID(), iat: nowSecs(), ...more }))
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
/** With all claims that rows of any type are asked for: `node` may find any of them. */
export const withClaims = (more: object = {}): Who => ({ headers: bearer(tokenOf({ tenant: 'ann', ...more })) })
export const nobody = (): Who => ({ headers: {} })

/** For rules about API keys: what `node` may find of other types wants claims, and a key has none. */
export const KEYLESS = { node: 'an API key has no claims, which the rows of other types here want' }

import { createHash, timingSafeEqual } from 'node:crypto'
import { SvcError } from '../../core/doors/plugin.ts'

/**
 * Compares a bearer token (RFC 6750) in a time that says nothing about it.
 * @returns `null` where no token is wanted; else what throws SvcError UNAUTHENTICATED at any other
 */
export function createBearerCheck(
  token: string,
): ((authorization: string | readonly string[] | undefined) => void) | null {
  if (token === '') return null
  const wanted = digest(token)
  return (authorization) => {
    const [, given] = typeof authorization === 'string' ? (/^bearer +(\S+)$/i.exec(authorization) ?? []) : []
    if (given === undefined || !timingSafeEqual(digest(given), wanted)) {
      throw new SvcError('UNAUTHENTICATED', 'The metrics need the token of metrics.token: "Authorization: Bearer …".')
    }
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

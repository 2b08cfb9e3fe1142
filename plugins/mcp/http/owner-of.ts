import type { Auth } from '../../../core/doors/plugin.ts'

/**
 * Returns a key that identifies a caller, for comparing owners of sessions. It contains the issuer, because two issuers
 * can use the same subject.
 */
export function ownerOf({ method, subject, claims: { iss } }: Auth): string {
  return JSON.stringify([method, typeof iss === 'string' ? iss : null, subject])
}

import type { Auth } from '../../../core/doors/plugin.ts'

/** Whose credential it is: two issuers may know the same name. */
export function ownerOf({ method, subject, claims: { iss } }: Auth): string {
  return JSON.stringify([method, typeof iss === 'string' ? iss : null, subject])
}

import { createHash } from 'node:crypto'
import type { Auth } from '../../core/index.ts'

/** What is longer is kept by its digest: the size of a key is the client's to choose. */
const LONGEST = 120

/** Whose bucket it is; `null` = a credential that names nobody counts by address. Two issuers may know the same name. */
export function userKey({ subject, claims, method }: Auth): string | null {
  if (subject === null || subject === '') return null
  const { iss } = claims
  const key = `${typeof iss === 'string' ? iss : method}\n${subject}`
  return key.length <= LONGEST ? key : createHash('sha256').update(key).digest('base64url')
}

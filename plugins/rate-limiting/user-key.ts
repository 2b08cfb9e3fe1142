import { createHash } from 'node:crypto'
import type { Auth } from '../../core/doors/plugin.ts'

/** What is longer is kept by its digest: the size of a key is the client's to choose. */
const LONGEST = 120

/** One credential is shared by the requests that bring it: what it is counted under is put together once. */
const keys = new WeakMap<Auth, string | null>()

/** Whose bucket it is; `null` = a credential that names nobody counts by address. Two issuers may know the same name. */
export function userKey(auth: Auth): string | null {
  let key = keys.get(auth)
  if (key === undefined) {
    key = makeKey(auth)
    keys.set(auth, key)
  }
  return key
}

function makeKey({ subject, claims, method }: Auth): string | null {
  if (subject === null || subject === '') return null
  const { iss } = claims
  const key = `${typeof iss === 'string' ? iss : method}\n${subject}`
  return key.length <= LONGEST ? key : createHash('sha256').update(key).digest('base64url')
}

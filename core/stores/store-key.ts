import { createHash } from 'node:crypto'

const PLAIN = /^(?!sha256:)[\x21-\x7e]{1,160}$/

/**
 * A key as stores keep it: what is long, or has characters that one of them may not take, as its digest. Two keys never
 * become one.
 */
export function storeKey(prefix: string, key: string): string {
  return prefix + (PLAIN.test(key) ? key : `sha256:${createHash('sha256').update(key).digest('base64url')}`)
}

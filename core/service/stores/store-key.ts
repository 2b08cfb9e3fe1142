import { createHash } from 'node:crypto'

const PLAIN = /^(?!sha256:)[\x21-\x7e]{1,160}$/

/**
 * Returns the stored form of a key. Long keys, and keys with characters that a store may not accept, are replaced by their digest.
 * Different keys have different forms.
 */
export function storeKey(prefix: string, key: string): string {
  return prefix + (PLAIN.test(key) ? key : `sha256:${createHash('sha256').update(key).digest('base64url')}`)
}

import { createHash } from 'node:crypto'

const PLAIN = /^(?!sha256:)[\x21-\x7e]{1,160}$/

/**
 * Returns the key under which a store saves a value: the prefix and the key. A long key, or one with spaces or
 * characters outside ASCII, is replaced by its SHA-256 hash.
 */
export function storeKey(prefix: string, key: string): string {
  return prefix + (PLAIN.test(key) ? key : `sha256:${createHash('sha256').update(key).digest('base64url')}`)
}

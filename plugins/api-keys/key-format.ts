import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** Form of valid keys, which can be created by other software too. Databases and logs can store all of them. */
const KEY = /^[\x21-\x7e]{16,512}$/
const OURS = /^svc_([A-Za-z0-9]{1,64})\.\S+$/
const SHA256 = /^sha256:([0-9a-f]{64})$/i

export interface NewKey {
  /** Id of the API key: a UUID without dashes. */
  readonly id: string
  /** The complete key as text. svc shows it only once, on creation, and stores its hash. */
  readonly key: string
}

/**
 * Creates a random key `svc_<id>.<secret>`. The id is public and finds the row of the key, because a salted hash cannot
 * be searched. The secret has 256 bits.
 */
export function makeKey(): NewKey {
  const id = plainId(randomUUID())
  return { id, key: `svc_${id}.${randomBytes(32).toString('base64url')}` }
}

/** Removes the dashes of a UUID, as in a key. Returns any other text unchanged. */
export function plainId(id: string): string {
  return isUuid(id) ? id.replaceAll('-', '') : id
}

/** Tests whether a text is a UUID, with or without dashes. */
export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}$/i.test(id)
}

export function isKey(text: string): boolean {
  return KEY.test(text)
}

/**
 * Returns the id in the text of an API key.
 * @returns the text between `svc_` and the dot; `null`: the key does not have the format of svc
 */
export function idOf(key: string): string | null {
  return OURS.exec(key)?.[1] ?? null
}

export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Returns a SHA-256 digest as `sha256:<hex>`, the format of the column `key_hash`. */
export function sha256Hash(digest: Buffer): string {
  return `sha256:${digest.toString('hex')}`
}

/** Returns the digest in a stored `sha256:<hex>` hash; `null` for a hash of another algorithm. */
export function readSha256(hash: string): Buffer | null {
  const hex = SHA256.exec(hash)?.[1]
  return hex === undefined ? null : Buffer.from(hex, 'hex')
}

/** Compares two SHA-256 digests in constant time. Both must have the same length. */
export function isSame(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other)
}

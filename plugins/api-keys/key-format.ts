import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** Form of valid keys, which can be created by other software too. Databases and logs can store all of them. */
const KEY = /^[\x21-\x7e]{16,512}$/
const OURS = /^svc_([A-Za-z0-9]{1,64})\.\S+$/
const SHA256 = /^sha256:([0-9a-f]{64})$/i

export interface NewKey {
  /** Id of the key, a UUID without dashes. */
  readonly id: string
  /** The key as text. It is only shown once, on creation. */
  readonly key: string
}

/** Creates a key `svc_<id>.<secret>`. The id is public and finds the row, which a salted hash cannot. The secret has 256 bits. */
export function makeKey(): NewKey {
  const id = plainId(randomUUID())
  return { id, key: `svc_${id}.${randomBytes(32).toString('base64url')}` }
}

/** Converts a UUID to the form without dashes, as in a key. */
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

/** Reads the id of an API key. @returns `null`: svc did not create the key */
export function idOf(key: string): string | null {
  return OURS.exec(key)?.[1] ?? null
}

export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Returns a digest in the format of `key_hash`. */
export function sha256Hash(digest: Buffer): string {
  return `sha256:${digest.toString('hex')}`
}

/** Returns the digest of a `key_hash` with SHA-256; `null` for other hashes. */
export function readSha256(hash: string): Buffer | null {
  const hex = SHA256.exec(hash)?.[1]
  return hex === undefined ? null : Buffer.from(hex, 'hex')
}

/** Compares two digests of 32 bytes in constant time. */
export function isSame(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other)
}

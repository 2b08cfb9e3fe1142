import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** What can be a key at all: keys of other makers too, as long as a database and a log can take them. */
const KEY = /^[\x21-\x7e]{16,512}$/
const OURS = /^svc_([A-Za-z0-9]{1,64})\.\S+$/
const SHA256 = /^sha256:([0-9a-f]{64})$/i

export interface NewKey {
  /** A UUID without its dashes. */
  readonly id: string
  /** Shown once. */
  readonly key: string
}

/** `svc_<id>.<secret>`: the id is no secret and finds the row, which a hash with a salt could not; 256 bits are. */
export function makeKey(): NewKey {
  const id = plainId(randomUUID())
  return { id, key: `svc_${id}.${randomBytes(32).toString('base64url')}` }
}

/** As it stands in a key: a UUID has no dashes there. */
export function plainId(id: string): string {
  return isUuid(id) ? id.replaceAll('-', '') : id
}

/** With dashes or without. */
export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}$/i.test(id)
}

export function isKey(text: string): boolean {
  return KEY.test(text)
}

/** @returns the id in a key of ours, else `null` */
export function idOf(key: string): string | null {
  return OURS.exec(key)?.[1] ?? null
}

export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** As `key_hash` has it. */
export function sha256Hash(digest: Buffer): string {
  return `sha256:${digest.toString('hex')}`
}

/** The digest in a `key_hash` of the kind sha256; `null`: it is none. */
export function readSha256(hash: string): Buffer | null {
  const hex = SHA256.exec(hash)?.[1]
  return hex === undefined ? null : Buffer.from(hex, 'hex')
}

/** In a time that says nothing about where they differ. Both have 32 bytes. */
export function isSame(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other)
}

import createHasher from 'xxhash-wasm'
import type { WrappedText } from '../../base/util/lent-text.ts'

/**
 * Computes the `ETag` of a reply's body. The tag is weak (`W/`), because equal rows may be written as different bytes.
 */
export type EntityTagger = (body: string | WrappedText) => string

/**
 * Bytes per update of the checksum. The hash copies each piece into the same memory, which stays in the processor cache. This takes
 * half the time of one copy of a large body.
 */
const PIECE = 1 << 16

export async function createEntityTagger(): Promise<EntityTagger> {
  const { h64, create64 } = await createHasher()
  return (body) => {
    if (typeof body === 'string') return tag(h64(body))
    // Wrapped and plain text of the same row must have the same tag.
    const hash = create64().update(body.before)
    body.text.read((bytes) => {
      for (let at = 0; at < bytes.length; at += PIECE) hash.update(bytes.subarray(at, at + PIECE))
    })
    return tag(hash.update(body.after).digest())
  }
}

function tag(hash: bigint): string {
  return `W/"${hash.toString(16).padStart(16, '0')}"`
}

/**
 * Tests whether the value of `If-None-Match` matches an entity tag. The header is a list of tags or `*`; tags are
 * compared weakly (RFC 9110, 13.1.2).
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  const plain = tag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === plain)
}

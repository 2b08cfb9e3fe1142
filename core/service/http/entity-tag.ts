import createHasher from 'xxhash-wasm'
import type { WrappedText } from '../../base/util/lent-text.ts'

/** The tag of a body. Weak, because the same rows may come in other bytes. */
export type EntityTagger = (body: string | WrappedText) => string

/**
 * The checksum copies what it reads into memory of its own. In pieces that is the same memory each time, which the processor has
 * at hand: half the time of copying a large body as a whole.
 */
const PIECE = 1 << 16

export async function createEntityTagger(): Promise<EntityTagger> {
  const { h64, create64 } = await createHasher()
  return (body) => {
    if (typeof body === 'string') return tag(h64(body))
    // The tag of a row must not follow from whether its text was lent.
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

/** Does a header name this tag? A list of tags, or `*`; compared weakly (RFC 9110, 13.1.2). */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  const plain = tag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === plain)
}

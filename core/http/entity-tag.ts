import createHasher from 'xxhash-wasm'
import type { WrappedText } from '../util/lent-text.ts'

/** The tag of a body. Weak, because the same rows may come in other bytes. */
export type EntityTagger = (body: string | WrappedText) => string

export async function createEntityTagger(): Promise<EntityTagger> {
  const { h64, create64 } = await createHasher()
  return (body) => {
    if (typeof body === 'string') return tag(h64(body))
    // The tag of a row must not follow from whether its text was lent.
    const hash = create64().update(body.before)
    body.text.read((bytes) => hash.update(bytes))
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

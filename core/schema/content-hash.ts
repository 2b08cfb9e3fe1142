import { createHash } from 'node:crypto'
import { canonicalJson } from '../base/util/canonical-json.ts'
import type { CompiledSchema } from './compiled.ts'

/** Returns the SHA-256, in hex, of a compiled schema as JSON with sorted keys, without `content_hash`. */
export function contentHash(schema: Omit<CompiledSchema, 'content_hash'>): string {
  const { content_hash: _own, ...content } = schema as CompiledSchema
  return createHash('sha256').update(canonicalJson(content)).digest('hex')
}

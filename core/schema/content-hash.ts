import { createHash } from 'node:crypto'
import { canonicalJson } from '../util/canonical-json.ts'
import type { CompiledSchema } from './compiled.ts'

/** SHA-256 (hex) over the canonical JSON of the artifact without its own `content_hash` (behaviours 1.5). */
export function contentHash(schema: Omit<CompiledSchema, 'content_hash'>): string {
  const { content_hash: _own, ...content } = schema as CompiledSchema
  return createHash('sha256').update(canonicalJson(content)).digest('hex')
}

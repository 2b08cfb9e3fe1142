import type { CompiledSource } from '../../schema/compiled.ts'
import type { NamedElement } from '../ground/type-index.ts'

/** A type or interface whose fields are being compiled, and where its rows come from. */
export interface FieldOwner {
  readonly named: Extract<NamedElement, { kind: 'object' | 'interface' }>
  /** View or table with the rows of the type; `null`: the fields are keys of another type's JSON document. */
  readonly source: CompiledSource | null
  readonly document: string | null
}

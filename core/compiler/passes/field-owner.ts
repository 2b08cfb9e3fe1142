import type { CompiledSource } from '../../schema/compiled.ts'
import type { NamedElement } from '../ground/type-index.ts'

/** A type with fields, and the source of its rows. */
export interface FieldOwner {
  readonly named: Extract<NamedElement, { kind: 'object' | 'interface' }>
  /** Source of the rows; `null`: the fields are keys of the parent's document. */
  readonly source: CompiledSource | null
  readonly document: string | null
}

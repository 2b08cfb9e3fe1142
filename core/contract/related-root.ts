import type { FieldSelection } from './selection.ts'
import type { Location, ValueNode } from './value-node.ts'

/** A field in a selection whose type is related objects, with the subfields that the client selected. */
export type SelectedRelation = Extract<FieldSelection, { kind: 'field' }>

/**
 * A root field that the engine creates to read the rows of a relation whose target is in another database. Its keys
 * come from rows that the caller may see. The result is a list in the order of the keys: per key the related row, or a
 * list of related rows.
 */
export interface RelatedRoot {
  readonly kind: 'related'
  readonly responseKey: string
  readonly relation: SelectedRelation
  /** Keys of the related rows: a list of texts. */
  readonly keys: ValueNode
  readonly location: Location | null
}

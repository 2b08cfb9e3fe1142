import type { FieldSelection } from './selection.ts'
import type { Location, ValueNode } from './value-node.ts'

/** A relation in a selection. */
export type SelectedRelation = Extract<FieldSelection, { kind: 'field' }>

/**
 * Related rows in another database, by the keys of the rows that the relation starts at. The answer is a list in the order of the keys,
 * with the row, or the list of rows, of each key. Only the engine creates this root, with keys of rows that the caller may see; fronts
 * select the relation like any other.
 */
export interface RelatedRoot {
  readonly kind: 'related'
  readonly responseKey: string
  readonly relation: SelectedRelation
  /** Keys of the related rows, a list of texts. */
  readonly keys: ValueNode
  readonly location: Location | null
}

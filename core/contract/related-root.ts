import type { FieldSelection } from './selection.ts'
import type { Location, ValueNode } from './value-node.ts'

/** A relation, as it is selected of a row. */
export type SelectedRelation = Extract<FieldSelection, { kind: 'field' }>

/**
 * Rows that a relation leads to in another database, read there by the keys of the rows that it starts at: a list with the row, or
 * the list of rows, of each key, in the order of the keys. Made by the engine alone, which has the keys from rows that the caller
 * may see; fronts ask for the relation as for any other.
 */
export interface RelatedRoot {
  readonly kind: 'related'
  readonly responseKey: string
  readonly relation: SelectedRelation
  /** A list of texts. */
  readonly keys: ValueNode
  readonly location: Location | null
}

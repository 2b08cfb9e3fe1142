import type { Slot } from '../../contract/slot.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import type { EnumType, FieldModel, ScalarType } from '../../schema/model.ts'
import type { Place } from '../../schema/place.ts'

/** JSON that fields are read from: `json` keeps its text, `jsonb` is decoded. A database with one kind has `json`. */
export type JsonType = 'json' | 'jsonb'

/** A row of a source. Its identity ties the values that are read from it to the node that opens it. */
export interface SourceRow {
  readonly kind: 'source'
  readonly source: CompiledSource
  /** The column that holds the document, where the row has one. */
  readonly document: { readonly column: string; readonly json: JsonType } | null
  /** What is laid on the source before it is a row of anything; the same list for the same filters. */
  readonly laid: readonly LaidFilter[]
  /** JSON text of a list of rows, which stand in the place of the source. Absent: what is stored. */
  readonly documents?: Slot
  /** Columns that the source does not have, in the author's SQL. Absent: none. */
  readonly computed?: ReadonlyMap<FieldModel, ComputedColumn>
}

/** A column in the author's SQL over those of its source. */
export interface ComputedColumn {
  readonly name: string
  /** Slots are values that come with the row's key. */
  readonly parts: readonly (string | Slot)[]
}

/**
 * A filter in the author's SQL. It is laid on its source where nothing else has a name, so that it can speak of the
 * source's columns alone.
 */
export interface LaidFilter {
  readonly parts: readonly (string | Slot)[]
  /** Holds for rows of that type; `null`: for all. */
  readonly only: TypedRows | null
}

/** Rows of an interface or union whose concrete type is that one: a text says so, in a column or a key of the document. */
export interface TypedRows {
  readonly typeName: string
  readonly column: string
  readonly key: string | null
}

/** An object that stands inside a document; the node that reaches it says where. */
export interface EmbeddedRow {
  readonly kind: 'embedded'
  readonly json: JsonType
}

/** What fields are read from. */
export type RowRef = SourceRow | EmbeddedRow

/** A native column of a row. */
export interface Column {
  readonly from: 'column'
  readonly row: SourceRow
  readonly name: string
  /** As the catalog names it; `null` = unknown. */
  readonly type: string | null
  /** Proven by the catalog. */
  readonly notNull: boolean
  /** Set where the column is one of PostGIS. */
  readonly place?: Place
}

/** A key of the document of a row, or of an embedded object. */
export interface DocumentKey {
  readonly from: 'document'
  readonly row: RowRef
  readonly key: string
  readonly json: JsonType
}

/** A stored value: a column, or a key of a JSON document. */
export type StoredValue = Column | DocumentKey

/** The left side of a comparison, or a sort key. */
export interface Target {
  readonly value: StoredValue
  /** Scalar or enum that decides how values are compared; `null`: as the column type compares them. */
  readonly named: ScalarType | EnumType | null
  /** The value is a list of `named`. */
  readonly list: boolean
  /** Catalog type that operands are checked against and cast to; of a list, the type of its elements. `null`: unknown. */
  readonly type: string | null
}

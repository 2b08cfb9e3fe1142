import type { CompiledSource } from '../../schema/compiled.ts'
import type { EnumType, FieldModel, ScalarType } from '../../schema/model.ts'
import type { Place } from '../../schema/place.ts'
import type { Slot } from '../slot.ts'

/** Type of a JSON column: `json` stores its text, `jsonb` a decoded form. Databases with a single type have `json`. */
export type JsonType = 'json' | 'jsonb'

/** A row of a source. Values refer to this object, which identifies the node of the plan that opens the row. */
export interface SourceRow {
  readonly kind: 'source'
  readonly source: CompiledSource
  /** The column with the document; `null` when the row has none. */
  readonly document: { readonly column: string; readonly json: JsonType } | null
  /** SQL filters that restrict the source before anything else applies. Rows with the same filters have the same list object. */
  readonly laid: readonly LaidFilter[]
  /** JSON text of a list of rows to read instead of the source. Absent: the source is read. */
  readonly documents?: Slot
  /** Columns computed by SQL of the schema's author, in addition to the columns of the source. */
  readonly computed?: ReadonlyMap<FieldModel, ComputedColumn>
}

/** A column in the author's SQL, computed from columns of the source. */
export interface ComputedColumn {
  readonly name: string
  /** SQL text, interleaved with slots for values that are supplied with the row's key. */
  readonly parts: readonly (string | Slot)[]
}

/**
 * A row filter in SQL of the schema's author. It is written as a query of its own on the source, so that it can only refer to columns of
 * the source.
 */
export interface LaidFilter {
  readonly parts: readonly (string | Slot)[]
  /** The rows that the filter applies to; `null`: all rows. */
  readonly only: TypedRows | null
}

/** Rows of a concrete type of an interface or union. A column, or a key of the document in it, holds the type name. */
export interface TypedRows {
  readonly typeName: string
  readonly column: string
  readonly key: string | null
}

/** An object within a document. The node of the plan that reads it holds its path. */
export interface EmbeddedRow {
  readonly kind: 'embedded'
  readonly json: JsonType
}

/** A row or object that fields are read from. */
export type RowRef = SourceRow | EmbeddedRow

/** A native column of a row. */
export interface Column {
  readonly from: 'column'
  readonly row: SourceRow
  readonly name: string
  /** Type name in the catalog; `null` = unknown. */
  readonly type: string | null
  /** `true` if the catalog proves that the column is never null. */
  readonly notNull: boolean
  /** Set for a PostGIS column. */
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

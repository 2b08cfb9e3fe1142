import type { CompiledSource } from '../../schema/compiled.ts'
import type { EnumType, FieldModel, ScalarType } from '../../schema/model.ts'
import type { Place } from '../../schema/place.ts'
import type { Slot } from '../slot.ts'

/**
 * Type of a JSON column. `json` stores the text, `jsonb` a parsed form (PostgreSQL). Databases with one JSON type have
 * `json`.
 */
export type JsonType = 'json' | 'jsonb'

/**
 * A row of a view or table in a plan. Columns and other nodes refer to this object, which identifies the subquery that
 * reads the row.
 */
export interface SourceRow {
  readonly kind: 'source'
  readonly source: CompiledSource
  /** Column with the JSON document that fields are read from; `null`: all fields have columns of their own. */
  readonly document: { readonly column: string; readonly json: JsonType } | null
  /**
   * SQL conditions of the schema's author that hide rows, before anything else applies. Rows with the same conditions
   * share the list object.
   */
  readonly laid: readonly LaidFilter[]
  /**
   * Parameter with a JSON list of rows, which are read instead of the view or table. Absent: the view or table is read.
   */
  readonly documents?: Slot
  /** Columns that SQL of the schema's author computes, by field, in addition to the columns of the view or table. */
  readonly computed?: ReadonlyMap<FieldModel, ComputedColumn>
}

/** A column that an SQL expression of the schema's author computes from columns of the view or table. */
export interface ComputedColumn {
  readonly name: string
  /**
   * SQL of the expression, in pieces. A slot between two pieces is a parameter, whose value is supplied with the row's
   * key.
   */
  readonly parts: readonly (string | Slot)[]
}

/**
 * An SQL condition that hides rows of a view or table, written by the schema's author. It becomes a subquery of its
 * own, so that it can refer only to columns of this view or table.
 */
export interface LaidFilter {
  readonly parts: readonly (string | Slot)[]
  /** The rows that the filter applies to, when it belongs to one type of an interface or union; `null`: all rows. */
  readonly only: TypedRows | null
}

/**
 * The rows of one member type of an interface or union. Their type name is in a column, or under a key of the JSON in
 * it.
 */
export interface TypedRows {
  readonly typeName: string
  readonly column: string
  readonly key: string | null
}

/**
 * Stands in a plan for an object inside a JSON document, so that values can refer to it. The node of the plan that
 * reads the object has its path.
 */
export interface EmbeddedRow {
  readonly kind: 'embedded'
  readonly json: JsonType
}

/** The row of a view or table, or the embedded object, that values are read from. */
export type RowRef = SourceRow | EmbeddedRow

/** A column of a view or table, as opposed to a key of a JSON document. */
export interface Column {
  readonly from: 'column'
  readonly row: SourceRow
  readonly name: string
  /** Type of the column by its name in the catalog; `null`: unknown. */
  readonly type: string | null
  /** `true` if the catalog proves that the column never has NULL. */
  readonly notNull: boolean
  /** Geometry type of a PostGIS column. Absent: it is another column. */
  readonly place?: Place
}

/** A value under a key of a JSON document: of the document column of a row, or of an embedded object. */
export interface DocumentKey {
  readonly from: 'document'
  readonly row: RowRef
  readonly key: string
  readonly json: JsonType
  /** Types that the text of every value can be cast to, as an index over the cast proves. */
  readonly casts?: readonly string[]
}

/** Where a plan reads a value from: a column, or a key of a JSON document. */
export type StoredValue = Column | DocumentKey

/** The left side of a comparison, or a sort key: a stored value, and how it is compared. */
export interface Target {
  readonly value: StoredValue
  /** Scalar or enum type that decides how values are compared; `null`: the column type decides. */
  readonly named: ScalarType | EnumType | null
  /** `true`: the value is a list of `named`. */
  readonly list: boolean
  /**
   * Catalog name of the type that operands are checked against and cast to; of a list, the type of its elements.
   * `null`: unknown.
   */
  readonly type: string | null
}

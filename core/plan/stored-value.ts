import type { CompiledSource } from '../schema/compiled.ts'
import type { EnumType, ScalarType } from '../schema/model.ts'

/** JSON that fields are read from: `json` keeps its text, `jsonb` is decoded. A database with one kind has `json`. */
export type JsonType = 'json' | 'jsonb'

/** A row of a source. Its identity ties the values that are read from it to the node that opens it. */
export interface SourceRow {
  readonly kind: 'source'
  readonly source: CompiledSource
  /** The column that holds the document, where the row has one. */
  readonly document: { readonly column: string; readonly json: JsonType } | null
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
}

/** A key of the document of a row, or of an embedded object. */
export interface DocumentKey {
  readonly from: 'document'
  readonly row: RowRef
  readonly key: string
  readonly json: JsonType
}

/** Where a value lies. */
export type StoredValue = Column | DocumentKey

/** The left side of a comparison, and what a sort key is. */
export interface Target {
  readonly value: StoredValue
  /** The scalar or enum whose rules hold (decisions "Operands"); `null`: compared as it is stored. */
  readonly named: ScalarType | EnumType | null
  /** A list of them. */
  readonly list: boolean
  /**
   * Type of what it is compared with, of an element where it is a list, in the names of the catalog: what operands are
   * checked against and cast to. `null` = unknown.
   */
  readonly type: string | null
}

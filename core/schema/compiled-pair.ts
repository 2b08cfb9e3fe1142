/**
 * Two columns whose values are equal in related rows. With `from_document`, the first value is the key `from_column` of
 * that JSON column instead of a column.
 */
export interface CompiledPair {
  readonly from_column: string
  readonly from_document?: string
  readonly to_column: string
  readonly column_type: string | null
}

/** The join table of a many-to-many relation. The pairs of the relation itself join the starting row to this table. */
export interface CompiledThrough {
  /** Key of the table in `CompiledSchema.sources`. */
  readonly source: string
  /** Pairs of a column of the join table and the equal column of the related row. */
  readonly pairs: readonly CompiledPair[]
  /** Object types that read rows of the join table. Their row rules apply to the relation. Absent: none. */
  readonly types?: readonly string[]
  /**
   * Types and fields (names in the API) that show rows of the join table. If one is denied, so is the relation. Absent:
   * none.
   */
  readonly guards?: readonly string[]
}

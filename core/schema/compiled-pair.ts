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

/** The join source of a relation. The relation's own pairs end at its columns. */
export interface CompiledThrough {
  /** Key into `sources`. */
  readonly source: string
  /** Columns of the join source that equal columns of the target. */
  readonly pairs: readonly CompiledPair[]
  /** Object types with rows of the join source. Their rules apply to its rows. Absent: there are none. */
  readonly types?: readonly string[]
  /** Types and fields that reveal rows of the join source, by wire names: a denial of one denies the relation. Absent: there are none. */
  readonly guards?: readonly string[]
}

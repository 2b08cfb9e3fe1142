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

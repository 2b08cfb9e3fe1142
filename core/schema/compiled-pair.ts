/**
 * Two columns of a relation that must be equal. `from_document`: the key is read from that JSON document; without it, from a native
 * column.
 */
export interface CompiledPair {
  readonly from_column: string
  readonly from_document?: string
  readonly to_column: string
  readonly column_type: string | null
}

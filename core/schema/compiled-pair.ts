/** Two columns of a relation that are equal. `from_document`: the key is read from that document, else the column is native. */
export interface CompiledPair {
  readonly from_column: string
  readonly from_document?: string
  readonly to_column: string
  readonly column_type: string | null
}

export interface Statement {
  /** Stable for the same text, at most 63 bytes. `null` = do not prepare. */
  readonly name: string | null
  readonly text: string
  /** `true`: it may be run once more when its connection broke under it. */
  readonly readOnly?: boolean
  /** A read of what calls functions that may change settings of the session: they are taken back behind it. */
  readonly resets?: boolean
  /** One call of a function, in SQL of svc's own: it changes the session only where code of the database does. */
  readonly functionCall?: boolean
  /** Its best plan depends on the values: a condition may leave one row or all of them. */
  readonly selective?: boolean
}

/** Text, or a list of texts for array parameters; `null` = NULL. */
export type Parameter = string | null | readonly (string | null)[]
export type Row = readonly (string | null)[]
/** Values as text, the larger ones maybe in UTF-8. */
export type LentRow = readonly (string | Buffer | null)[]
export interface Rows {
  readonly rows: readonly Row[]
  /** Names and catalog types of the columns; empty where the caller's statement is prepared and they were not asked for. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** An SQL statement. */
export interface Statement {
  /** Name of the prepared statement: equal for equal texts, at most 63 bytes. `null`: it is not prepared. */
  readonly name: string | null
  readonly text: string
  /** `true`: the statement only reads. It may be repeated once when its connection breaks. */
  readonly readOnly?: boolean
  /** A read that calls functions which may change settings of the session. The driver resets the settings afterwards. */
  readonly resets?: boolean
  /** A single function call in SQL written by svc. Only code in the database can change the session. */
  readonly functionCall?: boolean
  /** The best plan depends on the values, because a condition may match one row or all rows. */
  readonly selective?: boolean
}

/** Value of a parameter: a text, a list of texts for an array, `null` for NULL. */
export type Parameter = string | null | readonly (string | null)[]
/** A row: values as texts, `null` for NULL. */
export type Row = readonly (string | null)[]
/** A row with texts; large values may be UTF-8 bytes. */
export type LentRow = readonly (string | Buffer | null)[]
export interface Rows {
  readonly rows: readonly Row[]
  /** Names and catalog types of the columns. May be empty for prepared statements. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

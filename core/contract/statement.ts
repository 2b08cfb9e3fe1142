/** An SQL statement without its parameter values, with properties that the driver needs. */
export interface Statement {
  /**
   * Name under which the statement is prepared, at most 63 bytes. Statements with equal texts have the same name.
   * `null`: it is not prepared.
   */
  readonly name: string | null
  readonly text: string
  /** `true`: the statement only reads, so it may be repeated once when its connection breaks. */
  readonly readOnly?: boolean
  /**
   * `true`: the statement calls functions that may change settings of the session, so the driver resets them
   * afterwards.
   */
  readonly resets?: boolean
  /**
   * `true`: the statement only calls one database function, in SQL written by svc. Then settings of the session can
   * change only if a function changes them.
   */
  readonly functionCall?: boolean
  /**
   * `true`: the best plan depends on the parameter values, because a condition may match one row or all. A driver may
   * then plan each run for its values.
   */
  readonly selective?: boolean
}

/** Value of a statement's parameter: a text, a list of texts for an array, `null` for NULL. */
export type Parameter = string | null | readonly (string | null)[]
/** The values of a row in column order: texts, `null` for NULL. */
export type Row = readonly (string | null)[]
/**
 * A row whose large values may be UTF-8 bytes in memory of the driver, valid only until the function that gets the row
 * returns.
 */
export type LentRow = readonly (string | Buffer | null)[]
export interface Rows {
  readonly rows: readonly Row[]
  /** Names and catalog types of the columns. May be empty if the statement was already prepared on its connection. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

import type { FinishedRead } from './prepared-read.ts'

/** The SQL of a streamed read, for all requests that differ only in values. */
export type PreparedStream = PreparedRows | PreparedColumns

/** SQL of a streamed read whose rows have one column: the JSON text of the list item. */
export interface PreparedRows extends FinishedRead {
  readonly form: 'rows'
}

export interface PreparedColumns extends FinishedRead {
  readonly form: 'columns'
  readonly columns: readonly PreparedColumn[]
}

/** A column of a streamed read, with the form of its values and how they are checked. */
export interface PreparedColumn {
  /** Response key of the selected field. */
  readonly name: string
  /**
   * Form of the column's values in the rows of the database:
   * - `plain`: the value as text, sent unchanged
   * - `token`: JSON text of a scalar, sent without its quotes
   * - `json`: JSON text, sent unchanged
   */
  readonly text: 'plain' | 'token' | 'json'
  /** Check of a scalar's JSON text; `null`: the database ensures that the value is of the type. */
  readonly rule: LeafRule | null
  /**
   * For `text: 'json'`: `true` if the catalog does not prove the types of all values in the JSON, so that they are
   * checked.
   */
  readonly verify: boolean
}

/**
 * Checks and converts the stored value of a scalar or enum for the response, as JSON text (GraphQL specification, 3.5
 * "Scalars": result coercion).
 * @returns the text to send, nearly always `token` itself; `null` when the stored value is not of the type
 */
export type LeafRule = (token: string) => string | null

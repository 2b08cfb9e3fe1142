import type { FinishedRead } from './prepared-read.ts'

/** The statement of a streamed read, for all requests of the same shape. */
export type PreparedStream = PreparedRows | PreparedColumns

/** Statement of a stream whose rows have one column, the JSON text. */
export interface PreparedRows extends FinishedRead {
  readonly form: 'rows'
}

export interface PreparedColumns extends FinishedRead {
  readonly form: 'columns'
  readonly columns: readonly PreparedColumn[]
}

/** A column of the statement's rows. */
export interface PreparedColumn {
  /** Response key. */
  readonly name: string
  /**
   * - `plain`: the text of a value, without quotes
   * - `token`: JSON text of a scalar, to be sent without quotes
   * - `json`: JSON text, to be sent unchanged
   */
  readonly text: 'plain' | 'token' | 'json'
  /** Checks the JSON text of a scalar; `null` when the database ensures its form. */
  readonly rule: LeafRule | null
  /** For `json` columns: `true` if the value contains leaves whose types the catalog does not prove. */
  readonly verify: boolean
}

/**
 * Coerces a leaf of the response, as JSON text (GraphQL specification, 3.5 "Scalars": result coercion).
 * @returns the text to send, nearly always `token` itself; `null` when the stored value is not of the type
 */
export type LeafRule = (token: string) => string | null

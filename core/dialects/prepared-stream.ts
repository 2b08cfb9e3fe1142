import type { LeafRule } from '../json/leaf-rule.ts'
import type { FinishedRead } from './prepared-read.ts'

/** A read whose rows come one by one, written for all requests of one shape. */
export type PreparedStream = PreparedRows | PreparedColumns

/** Rows of one column: their JSON text. */
export interface PreparedRows extends FinishedRead {
  readonly form: 'rows'
}

export interface PreparedColumns extends FinishedRead {
  readonly form: 'columns'
  readonly columns: readonly PreparedColumn[]
}

/** A column of a row, as the statement has it. */
export interface PreparedColumn {
  /** Response key. */
  readonly name: string
  /**
   * - `plain`: the text of a value, without quotes
   * - `token`: JSON text of a scalar, to be sent without quotes
   * - `json`: JSON text that goes out as it is
   */
  readonly text: 'plain' | 'token' | 'json'
  /** What a scalar has to be, as JSON text; `null`: the database has seen to it. */
  readonly rule: LeafRule | null
  /** Of `json`: it has leaves that the catalog does not prove. */
  readonly verify: boolean
}

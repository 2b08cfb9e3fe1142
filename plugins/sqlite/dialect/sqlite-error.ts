import type { Failure } from '../child/protocol.ts'

/**
 * An error of SQLite with the member names of PostgreSQL errors, so that clients get the same errors from both
 * databases.
 */
export class SqliteError extends Error {
  /** SQLSTATE. */
  readonly code: string
  /** SQLite's (extended) result code. */
  readonly result: number
  readonly detail: string | undefined
  readonly hint: string | undefined
  readonly column: string | undefined
  readonly constraint: string | undefined
  /** The script that serves as a function, with the line. */
  readonly where: string | undefined
  /** 1-based offset in a script. */
  readonly position: string | undefined

  constructor(failure: Failure, facts: SqliteFacts) {
    super(failure.message)
    this.name = 'SqliteError'
    this.code = facts.code
    this.result = failure.result
    this.detail = facts.detail
    this.hint = failure.code
    this.column = facts.column
    this.constraint = facts.constraint
    this.where = failure.where
    this.position = failure.position === undefined ? undefined : String(failure.position)
  }
}

export interface SqliteFacts {
  readonly code: string
  readonly detail?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
}

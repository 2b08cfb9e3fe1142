/**
 * An error of MariaDB or MySQL with the member names of PostgreSQL errors, so that clients get the same errors from both
 * databases.
 */
export class MysqlError extends Error {
  /** SQLSTATE of PostgreSQL for the same failure: `23505` for a duplicate key. */
  readonly code: string
  /** The server's own error number: 1062 for a duplicate key. */
  readonly errno: number
  /** The server's own SQLSTATE. */
  readonly state: string
  /** PostgreSQL's severity: such an error leaves the connection usable. */
  readonly severity = 'ERROR'
  readonly detail: string | undefined
  readonly hint: string | undefined
  readonly column: string | undefined
  readonly constraint: string | undefined
  /** Set for an error that SQL code raised on purpose, by SIGNAL: the name of the same routine of PostgreSQL. */
  readonly routine: string | undefined

  constructor(failure: MysqlFailure, facts: MysqlFacts) {
    super(facts.message ?? failure.message, { cause: failure.cause })
    this.name = 'MysqlError'
    this.code = facts.code
    this.errno = failure.errno
    this.state = failure.state
    this.detail = facts.detail
    this.hint = facts.hint
    this.column = facts.column
    this.constraint = facts.constraint
    this.routine = facts.isRaised === true ? 'exec_stmt_raise' : undefined
  }
}

/** An error as the server sent it. */
export interface MysqlFailure {
  readonly errno: number
  readonly state: string
  readonly message: string
  readonly cause?: unknown
}

/** What an error of the server means, in terms of PostgreSQL. */
export interface MysqlFacts {
  readonly code: string
  readonly message?: string | undefined
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  readonly isRaised?: boolean
}

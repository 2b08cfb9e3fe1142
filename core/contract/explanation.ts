import type { Parameter } from './statement.ts'

export interface ExplainOptions {
  /** Run EXPLAIN for each statement of a query. Default `false`. */
  readonly database?: boolean
}

/** Description of an operation that does not run. It contains SQL and values: show it to operators alone. */
export interface Explanation {
  readonly kind: 'query' | 'mutation'
  /** Plan tree of a query, one node per line; `null` for a mutation. */
  readonly plan: string | null
  /** Views, tables and functions, as the schema names them. */
  readonly sources: readonly string[]
  /** Statements in order of execution. Empty: the operation runs none. */
  readonly statements: readonly ExplainedStatement[]
}

export interface ExplainedStatement {
  /** Response key of the root field; `null`: the statement serves all roots. */
  readonly root: string | null
  readonly sql: string
  /** Parameters of the statement, in the order of the placeholders. They may be secret. */
  readonly parameters: readonly Parameter[]
  /** Output of EXPLAIN as JSON text; `null`: it was not requested, or the statement writes. */
  readonly database: string | null
  /**
   * Planning mode of the next run of the statement: for the parameter values, or once for any values. `null`: the
   * database decides.
   */
  readonly planning: 'values' | 'generic' | null
}

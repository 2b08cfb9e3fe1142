import type { Parameter } from './statement.ts'

export interface ExplainOptions {
  /** `true`: runs EXPLAIN for each statement of a query. Default `false`. */
  readonly database?: boolean
}

/**
 * What an operation would do: the result of `Engine.explain`, which does not run it. It contains SQL and values of the
 * request: show it to operators alone.
 */
export interface Explanation {
  readonly kind: 'query' | 'mutation'
  /** svc's own plan of a query as an indented tree, one node per line; `null` for a mutation. */
  readonly plan: string | null
  /** Views, tables and functions that the operation uses, by their names in the schema. */
  readonly sources: readonly string[]
  /** SQL statements in order of execution. Empty: the operation needs no database. */
  readonly statements: readonly ExplainedStatement[]
}

export interface ExplainedStatement {
  /** Response key of the root field that the statement serves; `null`: it serves all root fields. */
  readonly root: string | null
  readonly sql: string
  /** Parameters of the statement, in the order of the placeholders. They may be secret. */
  readonly parameters: readonly Parameter[]
  /** Output of the database's EXPLAIN as JSON text; `null`: it was not requested, or the statement writes. */
  readonly database: string | null
  /**
   * How the database would plan the next run of the statement: `values`: for its parameter values; `generic`: once for
   * any values. `null`: the database decides.
   */
  readonly planning: 'values' | 'generic' | null
}

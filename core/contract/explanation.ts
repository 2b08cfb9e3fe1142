import type { Parameter } from './statement.ts'

export interface ExplainOptions {
  /** Ask the database how it would run each statement of a query. Default `false`. */
  readonly database?: boolean
}

/** What an operation would do. Holds SQL and values: for operators, never for an ordinary client. */
export interface Explanation {
  readonly kind: 'query' | 'mutation'
  /** The tree of a query, one node a line; `null` of a mutation, which calls functions. */
  readonly plan: string | null
  /** Views, tables and functions, as the schema names them. */
  readonly sources: readonly string[]
  /** In the order in which they run. None: the database is not asked. */
  readonly statements: readonly ExplainedStatement[]
}

export interface ExplainedStatement {
  /** Response key of the root that it is for; `null`: for all. */
  readonly root: string | null
  readonly sql: string
  /** In the order of their placeholders. May be secret. */
  readonly parameters: readonly Parameter[]
  /** What the database says it would do, JSON text; `null`: it was not asked, or the statement writes. */
  readonly database: string | null
  /** How its next run is planned: with its values, or once for any values. `null`: as the database decides. */
  readonly planning: 'values' | 'generic' | null
}

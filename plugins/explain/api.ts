import type { Exchange, Parameter } from '../../core/doors/plugin.ts'
import type { RestRequest } from '../rest/api.ts'

/** A request to explain: either a GraphQL document (`query`) or a REST request (`rest`). */
export interface ExplainRequest {
  readonly query: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
  /** The REST request to explain; `null`: explain the GraphQL document in `query`. */
  readonly rest: RestRequest | null
  /** `true`: also run EXPLAIN in the database. */
  readonly database: boolean
}

/** Depth, complexity and aliases of a request, counted as in docs/plugins/query-limits.md#how-it-counts. */
export interface Complexity {
  readonly depth: number
  readonly complexity: number
  readonly alias_count: number
}

/**
 * The explanation of a request, named as in its JSON (docs/plugins/explain.md). It contains SQL and parameter values.
 */
export interface Report {
  /** The explained request: the GraphQL document, or method and path. */
  readonly query: string
  /** All SQL statements in order of execution, as one text. */
  readonly sql: string
  /** All SQL statements in order of execution, one per element. */
  readonly generated_sql: readonly string[]
  /** Parameter values of each statement of `generated_sql`, in the order of its placeholders. */
  readonly parameters: readonly (readonly Parameter[])[]
  readonly views_accessed: readonly string[]
  readonly query_type: 'query' | 'mutation'
  readonly complexity: Complexity
  /** Cost that the database estimates, in its own unit. Without an EXPLAIN, the complexity. */
  readonly estimated_cost: number
  readonly warnings: readonly string[]
  /** svc's plan of the reads as an indented tree; `null` for a mutation. */
  readonly plan: string | null
  /** EXPLAIN output of each statement for which EXPLAIN ran. */
  readonly database_plan?: readonly unknown[]
}

export interface ExplainApi {
  /**
   * Explains a request for the caller of the exchange, after the same access checks as for running the request.
   * @throws SvcError that running the request would throw before its first statement
   */
  explain(exchange: Exchange, request: ExplainRequest): Promise<Report>
  /**
   * Explains a request without an HTTP request, for CLI commands.
   * @param as `{ sub, scopes, roles, claims }` of the caller; `null`: no user, with all scopes
   */
  explainAs(as: unknown, request: ExplainRequest): Promise<Report>
  measure(as: unknown, request: ExplainRequest): Promise<Complexity>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    explain: ExplainApi
  }
}

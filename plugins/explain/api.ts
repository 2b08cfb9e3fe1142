import type { Exchange, Parameter } from '../../core/doors/plugin.ts'
import type { RestRequest } from '../rest/api.ts'

/** A request to explain: GraphQL (`query`) or REST (`rest`). */
export interface ExplainRequest {
  readonly query: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
  /** The REST request to explain; `null`: the request is GraphQL. */
  readonly rest: RestRequest | null
  /** `true`: run EXPLAIN in the database. */
  readonly database: boolean
}

/** Depth, complexity and aliases of a request, counted as in docs/plugins/query-limits.md#how-it-counts. */
export interface Complexity {
  readonly depth: number
  readonly complexity: number
  readonly alias_count: number
}

/** Report about a request (docs/plugins/explain.md). It contains SQL and parameter values. */
export interface Report {
  /** Text of the request. */
  readonly query: string
  /** All statements in order of execution, as one text. */
  readonly sql: string
  /** All statements in order of execution. */
  readonly generated_sql: readonly string[]
  /** Parameters of each statement, in the order of its placeholders. */
  readonly parameters: readonly (readonly Parameter[])[]
  readonly views_accessed: readonly string[]
  readonly query_type: 'query' | 'mutation'
  readonly complexity: Complexity
  /** Cost in the unit of the database; without a database plan the complexity. */
  readonly estimated_cost: number
  readonly warnings: readonly string[]
  /** Printed plan tree of svc; `null` for a mutation. */
  readonly plan: string | null
  /** Database plan of each statement that was explained. */
  readonly database_plan?: readonly unknown[]
}

export interface ExplainApi {
  /**
   * Explains a request for the caller of the exchange, under the same guards as for running the request.
   * @throws SvcError that running the request would throw before its first statement
   */
  explain(exchange: Exchange, request: ExplainRequest): Promise<Report>
  /**
   * Explains a request outside any exchange, for commands.
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

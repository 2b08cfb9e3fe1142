import type { Exchange, Parameter } from '../../core/doors/plugin.ts'
import type { RestRequest } from '../rest/api.ts'

/** What is to be explained: a GraphQL request, or one of REST. */
export interface ExplainRequest {
  readonly query: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
  /** `null`: it is GraphQL. */
  readonly rest: RestRequest | null
  /** Ask the database for its plan. */
  readonly database: boolean
}

/** Sum of what is selected, as the limits count it (behaviours 18.5). */
export interface Complexity {
  readonly depth: number
  readonly complexity: number
  readonly alias_count: number
}

/** Behaviours 15, explain. Holds SQL and values. */
export interface Report {
  /** As it was given. */
  readonly query: string
  /** All statements, in the order in which they run. */
  readonly sql: string
  /** The same, one by one. */
  readonly generated_sql: readonly string[]
  /** Of each statement, in the order of its placeholders. */
  readonly parameters: readonly (readonly Parameter[])[]
  readonly views_accessed: readonly string[]
  readonly query_type: 'query' | 'mutation'
  readonly complexity: Complexity
  /** What the database says; without its plan the complexity. */
  readonly estimated_cost: number
  readonly warnings: readonly string[]
  /** The tree that the SQL was made of; `null` of a mutation. */
  readonly plan: string | null
  /** Plan of each statement that the database was asked about. */
  readonly database_plan?: readonly unknown[]
}

export interface ExplainApi {
  /** Guarded as running it is. @throws SvcError as running it would before its first statement */
  explain(exchange: Exchange, request: ExplainRequest): Promise<Report>
  /** The same for somebody who is named, outside of every request: for commands. */
  explainAs(as: unknown, request: ExplainRequest): Promise<Report>
  measure(as: unknown, request: ExplainRequest): Promise<Complexity>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    explain: ExplainApi
  }
}

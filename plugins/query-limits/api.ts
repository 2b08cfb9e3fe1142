import type { OperationTemplate } from '../../core/doors/plugin.ts'
import type { DocumentNode, GraphQLSchema } from '../graphql/api.ts'

/** Depth, complexity and aliases of an operation (docs/plugins/query-limits.md#how-it-counts). */
export interface Measured {
  readonly depth: number
  readonly complexity: number
  readonly aliases: number
}

export interface QueryMeasure {
  /** Measures an operation of a GraphQL document. @param operationName `null`: the document has a single operation */
  document(document: DocumentNode, schema: GraphQLSchema, operationName: string | null): Measured
  /**
   * Measures an operation that did not come from a GraphQL document, such as a REST request. It returns the figures of
   * the largest root field, because each is limited separately, and no aliases.
   */
  operation(template: OperationTemplate): Measured
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    queryMeasure: QueryMeasure
  }
}

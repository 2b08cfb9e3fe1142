import type { OperationTemplate } from '../../core/doors/plugin.ts'
import type { DocumentNode, GraphQLSchema } from '../graphql/api.ts'

/** Depth, complexity and aliases of an operation (docs/plugins/query-limits.md#how-it-counts). */
export interface Measured {
  readonly depth: number
  readonly complexity: number
  readonly aliases: number
}

export interface QueryMeasure {
  /** Measures an operation of a document. @param operationName `null` for a document with a single operation */
  document(document: DocumentNode, schema: GraphQLSchema, operationName: string | null): Measured
  /**
   * Measures an operation of a front other than GraphQL. The result is that of its largest root field, because each
   * root field is limited separately. It has no aliases.
   */
  operation(template: OperationTemplate): Measured
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    queryMeasure: QueryMeasure
  }
}

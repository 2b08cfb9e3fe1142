import type { OperationTemplate } from '../../core/doors/plugin.ts'
import type { DocumentNode, GraphQLSchema } from '../graphql/api.ts'

/** The numbers that the limits are about, as they count them (behaviours 18.5). */
export interface Measured {
  readonly depth: number
  readonly complexity: number
  readonly aliases: number
}

export interface QueryMeasure {
  /** @param operationName `null`: the document has one operation */
  document(document: DocumentNode, schema: GraphQLSchema, operationName: string | null): Measured
  /** Measures an operation that no document made by its largest root, because each is held to the limits by itself. It has no aliases. */
  operation(template: OperationTemplate): Measured
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    queryMeasure: QueryMeasure
  }
}

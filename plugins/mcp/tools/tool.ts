import type { Exchange, MaybePromise, MutationModel, QueryModel } from '../../../core/doors/plugin.ts'
import type { McpCall } from '../api.ts'

/** What stands in `tools/list`, of the newest revision; older ones leave parts out. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string | undefined
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: object | undefined
}

export interface Tool {
  /** Of a tool that the schema gives. */
  readonly operation?: QueryModel | MutationModel
  readonly definition: ToolDefinition
  /** Can it tell the client something before its answer? Then that may be a stream over HTTP. */
  readonly streams: 'always' | 'progress' | 'never'
  mayCall(exchange: Exchange): MaybePromise<boolean>
  /** @returns JSON text of the result */
  call(call: McpCall): MaybePromise<string>
}

/** A query or mutation of the schema. */
export interface OperationTool extends Tool {
  readonly operation: QueryModel | MutationModel
}

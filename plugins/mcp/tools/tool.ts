import type { Exchange, MaybePromise, MutationModel, QueryModel } from '../../../core/doors/plugin.ts'
import type { McpCall } from './mcp-tool.ts'

/** Entry of `tools/list` in the newest revision. Older revisions have fewer members. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string | undefined
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: object | undefined
}

export interface Tool {
  /** Operation of a tool of the schema. */
  readonly operation?: QueryModel | MutationModel
  readonly definition: ToolDefinition
  /** When a call sends notifications before its result. Its HTTP reply is a stream then. */
  readonly streams: 'always' | 'progress' | 'never'
  mayCall(exchange: Exchange): MaybePromise<boolean>
  /** @returns JSON text of the result */
  call(call: McpCall): MaybePromise<string>
}

/** A query or mutation of the schema. */
export interface OperationTool extends Tool {
  readonly operation: QueryModel | MutationModel
}

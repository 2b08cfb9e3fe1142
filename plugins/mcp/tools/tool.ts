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
  /** Operation of the schema that the tool runs; absent for tools of plugins. */
  readonly operation?: QueryModel | MutationModel
  readonly definition: ToolDefinition
  /**
   * Calls that send notifications before the result: all, those that request progress, or none. The HTTP reply of such
   * a call is a stream.
   */
  readonly streams: 'always' | 'progress' | 'never'
  mayCall(exchange: Exchange): MaybePromise<boolean>
  /** Runs the tool. @returns JSON text of the result */
  call(call: McpCall): MaybePromise<string>
}

/** A tool that runs a query or mutation of the schema. */
export interface OperationTool extends Tool {
  readonly operation: QueryModel | MutationModel
}

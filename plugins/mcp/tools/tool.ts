import type { Exchange, MaybePromise, MutationModel, QueryModel } from '../../../core/doors/plugin.ts'
import type { McpCall } from './mcp-tool.ts'

/** A tool in the format that `tools/list` has in the newest revision of MCP. Older revisions have fewer members. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string | undefined
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: object | undefined
}

export interface Tool {
  /** Query or mutation that the tool runs; absent for tools of plugins. */
  readonly operation?: QueryModel | MutationModel
  readonly definition: ToolDefinition
  /**
   * Which calls send notifications before the result: all, those that ask for progress, or none. The HTTP reply of such
   * a call is an event stream.
   */
  readonly streams: 'always' | 'progress' | 'never'
  mayCall(exchange: Exchange): MaybePromise<boolean>
  /** Runs the tool. @returns JSON text of the tool result */
  call(call: McpCall): MaybePromise<string>
}

/** An MCP tool that runs a query or mutation of the schema. */
export interface OperationTool extends Tool {
  readonly operation: QueryModel | MutationModel
}

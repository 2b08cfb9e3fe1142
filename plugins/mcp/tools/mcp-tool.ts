import type { Exchange, MaybePromise } from '../../../core/doors/plugin.ts'

type Json = Readonly<Record<string, unknown>>

/** An MCP tool that a plugin adds. It can read and write data of the schema through `scope.engine.run`. */
export interface McpTool {
  /** Name of the tool. It must differ from the names of the schema's operations. */
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema (2020-12) of the arguments. svc does not validate them: `call` must. */
  readonly inputSchema: Json
  readonly outputSchema?: Json
  readonly annotations?: Json
  /** `true` if calls send progress or other notifications. The HTTP reply is then an event stream. Default `false`. */
  readonly streams?: boolean
  /** Tests whether `tools/list` shows this tool to a caller. Default: it does. `call` must check access itself. */
  mayCall?(exchange: Exchange): MaybePromise<boolean>
  /**
   * Runs the tool.
   * @returns a `CallToolResult` of MCP
   * @throws RpcError for an error of the protocol; every other error becomes a result with `isError`
   */
  call(call: McpCall): MaybePromise<Json>
}

/** A call of an MCP tool, or a request for a prompt. */
export interface McpCall {
  readonly exchange: Exchange
  readonly arguments: Json
  /** All parameters of the MCP request, including `_meta`. */
  readonly params: Json
  /** MCP protocol revision that the client uses. */
  readonly version: string
  /** Capabilities that the client declares in the request; empty for revisions before 2026-07-28. */
  readonly clientCapabilities: Json
  /** Sends a notification to the client before the result. It does nothing when the transport cannot send one. */
  notify(method: string, params: Json): void
  /**
   * Sends a progress notification to the client, if the request asked for progress.
   * @param progress amount done, in the unit of `total`
   */
  progress(progress: number, total?: number, message?: string): void
}

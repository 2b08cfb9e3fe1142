import type { Exchange, MaybePromise } from '../../../core/doors/plugin.ts'

type Json = Readonly<Record<string, unknown>>

/** A tool of a plugin. It reads and writes data of the schema through `scope.engine.run`. */
export interface McpTool {
  /** Must differ from the names of the schema's operations. */
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema (2020-12) of the arguments. The tool checks them itself. */
  readonly inputSchema: Json
  readonly outputSchema?: Json
  readonly annotations?: Json
  /** Does it send progress or other notifications during a call? Then its HTTP reply is a stream. */
  readonly streams?: boolean
  /** Is it listed for this caller? Default: yes. `call` has to check access again. */
  mayCall?(exchange: Exchange): MaybePromise<boolean>
  /**
   * Runs the tool.
   * @returns the content of a `CallToolResult`
   * @throws RpcError for an error of the protocol; every other error becomes a result with `isError`
   */
  call(call: McpCall): MaybePromise<Json>
}

/** A call of a tool, or a request for a prompt. */
export interface McpCall {
  readonly exchange: Exchange
  readonly arguments: Json
  /** All parameters of the request, including `_meta`. */
  readonly params: Json
  /** Revision of the protocol. */
  readonly version: string
  /** The capabilities that the client declares with the request; empty for revisions before 2026-07-28. */
  readonly clientCapabilities: Json
  /** Sends a notification before the result. It does nothing when the transport cannot send one. */
  notify(method: string, params: Json): void
  /** Sends the progress of the call, if the client requested that. */
  progress(progress: number, total?: number, message?: string): void
}

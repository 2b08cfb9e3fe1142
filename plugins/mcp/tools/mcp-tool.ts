import type { Exchange, MaybePromise } from '../../../core/doors/plugin.ts'

type Json = Readonly<Record<string, unknown>>

/** A tool that a plugin adds. It reads and writes data of the schema through `scope.engine.run`. */
export interface McpTool {
  /** Must differ from the names of the schema's operations. */
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema (2020-12) of the arguments. The tool validates the arguments itself. */
  readonly inputSchema: Json
  readonly outputSchema?: Json
  readonly annotations?: Json
  /** `true` if the tool sends progress or other notifications during a call. Then the HTTP reply is a stream. */
  readonly streams?: boolean
  /**
   * Tests whether the list of tools contains this tool for a caller. Default: it does. `call` has to check access
   * again.
   */
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
  /** Protocol revision that the client uses. */
  readonly version: string
  /** The capabilities that the client declares with the request; empty for revisions before 2026-07-28. */
  readonly clientCapabilities: Json
  /** Sends a notification before the result. Does nothing when the transport cannot send one. */
  notify(method: string, params: Json): void
  /** Sends the progress of the call, if the client requested that. */
  progress(progress: number, total?: number, message?: string): void
}

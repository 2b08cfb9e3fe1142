import type { Readable } from 'node:stream'
import type { Exchange, MaybePromise } from '../../core/doors/plugin.ts'

export { RPC, RpcError } from './protocol/rpc-error.ts'

type Json = Readonly<Record<string, unknown>>

/** A tool of a plugin's own. What it reads and writes of the schema goes through `scope.engine.run`, as everywhere. */
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

/** A resource of a plugin, at a URI. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  read(exchange: Exchange): MaybePromise<ResourceContent>
}

/** The content of a resource: a text, or bytes in base64. */
export type ResourceContent = { readonly text: string } | { readonly blob: string }

/** Resources whose URI has one variable: `shop://customer/{id}`. */
export interface McpResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** Reads a resource. @param value value of the variable @returns `null` when there is no such resource */
  read(exchange: Exchange, value: string): MaybePromise<ResourceContent | null>
  /** Returns values of the variable that start with `start`. */
  complete?(exchange: Exchange, start: string): MaybePromise<readonly string[]>
}

export interface McpPrompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[]
  mayGet?(exchange: Exchange): MaybePromise<boolean>
  /** @returns the content of a `GetPromptResult` */
  get(call: McpCall): MaybePromise<Json>
  complete?(exchange: Exchange, argument: string, start: string): MaybePromise<readonly string[]>
}

/** The output of `svc mcp check`. */
export interface McpListing {
  /** As `tools/list` sends them in the newest revision. */
  readonly tools: readonly Json[]
  readonly resources: readonly Json[]
  readonly prompts: readonly Json[]
}

/** Two streams to a client, with one message per line. */
export interface McpStreams {
  readonly input: Readable
  /** Writes a line; the argument has no line end. */
  readonly write: (line: string) => void
  /** Headers of all requests, names in lower case. They carry the credential. */
  readonly headers: Exchange['headers']
  /** Address of the client, if it has one. */
  readonly address?: string
  /** Called when the client has closed its side. */
  readonly ended: () => void
}

/** For plugins that offer tools, resources and prompts of their own to agents. Add them during set-up. */
export interface McpApi {
  /** Path of the HTTP endpoint; `null` when only stdio is served. */
  readonly path: string | null
  tool(tool: McpTool): void
  resource(resource: McpResource): void
  resourceTemplate(template: McpResourceTemplate): void
  prompt(prompt: McpPrompt): void
  /** Notifies subscribed clients that the list of tools, resources or prompts has changed. */
  changed(what: 'tools' | 'resources' | 'prompts'): void
  /** Serves one client. @returns the function that stops serving, after open requests were answered */
  serve(streams: McpStreams): () => Promise<void>
  /** Returns the lists for a caller. @param as the caller, in the format of `svc explain --as` */
  listFor(as: unknown): Promise<McpListing>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    mcp: McpApi
  }
}

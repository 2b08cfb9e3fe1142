import type { Readable } from 'node:stream'
import type { Exchange, MaybePromise } from '../../core/doors/plugin.ts'

export { RPC, RpcError } from './protocol/rpc-error.ts'

type Json = Readonly<Record<string, unknown>>

/** A tool of a plugin's own. What it reads and writes of the schema goes through `scope.engine.run`, as everywhere. */
export interface McpTool {
  /** No operation of the schema has it. */
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema (2020-12) of the arguments. The tool checks them itself. */
  readonly inputSchema: Json
  readonly outputSchema?: Json
  readonly annotations?: Json
  /** It tells of its progress, or of something else meanwhile: its answer over HTTP is a stream. */
  readonly streams?: boolean
  /** Is it listed for this caller? Default: yes. A call has to ask again. */
  mayCall?(exchange: Exchange): MaybePromise<boolean>
  /**
   * @returns what a `CallToolResult` holds
   * @throws RpcError for an answer of the protocol; anything else is an answer with `isError`
   */
  call(call: McpCall): MaybePromise<Json>
}

/** One call of a tool, or one request of a prompt. */
export interface McpCall {
  readonly exchange: Exchange
  readonly arguments: Json
  /** All that was sent, `_meta` included. */
  readonly params: Json
  /** Revision of the protocol. */
  readonly version: string
  /** What the client says that it can do; of revisions before 2026-07-28 nothing. */
  readonly clientCapabilities: Json
  /** Tells the client something before the answer. Nothing happens where it cannot be told. */
  notify(method: string, params: Json): void
  /** Tells how far it is, if the client wants to know. */
  progress(progress: number, total?: number, message?: string): void
}

/** Something to read, at a URI. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  read(exchange: Exchange): MaybePromise<ResourceContent>
}

/** Text, or bytes in base64. */
export type ResourceContent = { readonly text: string } | { readonly blob: string }

/** Resources whose URI has one name in it: `shop://customer/{id}`. */
export interface McpResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** @returns `null` where there is none of this name */
  read(exchange: Exchange, value: string): MaybePromise<ResourceContent | null>
  /** Values that begin so. */
  complete?(exchange: Exchange, start: string): MaybePromise<readonly string[]>
}

export interface McpPrompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[]
  mayGet?(exchange: Exchange): MaybePromise<boolean>
  /** @returns what a `GetPromptResult` holds */
  get(call: McpCall): MaybePromise<Json>
  complete?(exchange: Exchange, argument: string, start: string): MaybePromise<readonly string[]>
}

/** What `svc mcp check` prints. */
export interface McpListing {
  /** As `tools/list` sends them in the newest revision. */
  readonly tools: readonly Json[]
  readonly resources: readonly Json[]
  readonly prompts: readonly Json[]
}

/** A client at the other end of two streams: a message a line. */
export interface McpStreams {
  readonly input: Readable
  /** Takes one line, without its end. */
  readonly write: (line: string) => void
  /** What every request brings, names in lower case: the credential. */
  readonly headers: Exchange['headers']
  /** Of the client, where there is one. */
  readonly address?: string
  /** The client has closed its side. */
  readonly ended: () => void
}

/** For plugins that offer more to agents than the schema has. To be called in their set-up. */
export interface McpApi {
  /** Path over HTTP; `null`: stdio alone. */
  readonly path: string | null
  tool(tool: McpTool): void
  resource(resource: McpResource): void
  resourceTemplate(template: McpResourceTemplate): void
  prompt(prompt: McpPrompt): void
  /** What was offered has changed: who waits for it is told. */
  changed(what: 'tools' | 'resources' | 'prompts'): void
  /** Speaks with one client. @returns ends it, once what is asked is answered */
  serve(streams: McpStreams): () => Promise<void>
  /** What such a caller is shown. @param as as of `svc explain --as` */
  listFor(as: unknown): Promise<McpListing>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    mcp: McpApi
  }
}

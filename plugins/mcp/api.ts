import type { McpPrompt, McpResource, McpResourceTemplate } from './offers/mcp-offers.ts'
import type { McpStreams } from './stdio/serve-stdio.ts'
import type { McpTool } from './tools/mcp-tool.ts'

export type * from './offers/mcp-offers.ts'
export { RPC, RpcError } from './protocol/rpc-error.ts'
export type { McpStreams } from './stdio/serve-stdio.ts'
export type * from './tools/mcp-tool.ts'

type Json = Readonly<Record<string, unknown>>

/** The output of `svc mcp check`. */
export interface McpListing {
  /** Tools as `tools/list` sends them in the newest revision of the protocol. */
  readonly tools: readonly Json[]
  readonly resources: readonly Json[]
  readonly prompts: readonly Json[]
}

/** API for plugins that offer tools, resources and prompts of their own to agents. Add them during set-up. */
export interface McpApi {
  /** Path of the HTTP endpoint; `null` when only stdio is served. */
  readonly path: string | null
  tool(tool: McpTool): void
  resource(resource: McpResource): void
  resourceTemplate(template: McpResourceTemplate): void
  prompt(prompt: McpPrompt): void
  /** Notifies subscribed clients that the list of tools, resources or prompts has changed. */
  changed(what: 'tools' | 'resources' | 'prompts'): void
  /** Serves one client over two streams. @returns a function that stops serving after open requests were answered */
  serve(streams: McpStreams): () => Promise<void>
  /**
   * Returns the tools, resources and prompts that a caller can use.
   * @param as the caller, in the format of `svc explain --as`
   */
  listFor(as: unknown): Promise<McpListing>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    mcp: McpApi
  }
}

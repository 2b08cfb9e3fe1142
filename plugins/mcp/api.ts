import type { McpPrompt, McpResource, McpResourceTemplate } from './offers/mcp-offers.ts'
import type { McpStreams } from './stdio/serve-stdio.ts'
import type { McpTool } from './tools/mcp-tool.ts'

export type * from './offers/mcp-offers.ts'
export { RPC, RpcError } from './protocol/rpc-error.ts'
export type { McpStreams } from './stdio/serve-stdio.ts'
export type * from './tools/mcp-tool.ts'

type Json = Readonly<Record<string, unknown>>

/** The tools, resources and prompts that a caller may use, for the output of `svc mcp check`. */
export interface McpListing {
  /** Tools in the format that `tools/list` has in the newest revision of MCP. */
  readonly tools: readonly Json[]
  readonly resources: readonly Json[]
  readonly prompts: readonly Json[]
}

/**
 * API of the mcp plugin for plugins that offer their own tools, resources and prompts to agents. Add them during
 * set-up.
 */
export interface McpApi {
  /** Path of the MCP endpoint for HTTP; `null` when svc serves MCP only over stdin and stdout. */
  readonly path: string | null
  tool(tool: McpTool): void
  resource(resource: McpResource): void
  resourceTemplate(template: McpResourceTemplate): void
  prompt(prompt: McpPrompt): void
  /** Tells subscribed clients that the list of tools, resources or prompts has changed. */
  changed(what: 'tools' | 'resources' | 'prompts'): void
  /** Serves MCP to one client over a pair of streams. @returns a function that answers open requests and then stops */
  serve(streams: McpStreams): () => Promise<void>
  /**
   * Returns the tools, resources and prompts that a caller may use.
   * @param as the caller as `{ sub, scopes, roles, claims }`; `null`: no user, with all scopes
   */
  listFor(as: unknown): Promise<McpListing>
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    mcp: McpApi
  }
}

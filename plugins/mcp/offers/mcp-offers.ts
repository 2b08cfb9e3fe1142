import type { Exchange, MaybePromise } from '../../../core/doors/plugin.ts'
import type { McpCall } from '../tools/mcp-tool.ts'

/** A readable MCP resource that a plugin offers under a fixed URI. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  read(exchange: Exchange): MaybePromise<ResourceContent>
}

/** Content of an MCP resource: a text, or bytes in base64. */
export type ResourceContent = { readonly text: string } | { readonly blob: string }

/** MCP resources of a plugin under URIs with one variable, such as `shop://customer/{id}`. */
export interface McpResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /**
   * Reads the resource for a value of the variable in the URI.
   * @param value decoded value of the variable
   * @returns `null` when there is no such resource
   */
  read(exchange: Exchange, value: string): MaybePromise<ResourceContent | null>
  /** Suggests values of the variable that begin with `start`, for `completion/complete`. */
  complete?(exchange: Exchange, start: string): MaybePromise<readonly string[]>
}

export interface McpPrompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[]
  mayGet?(exchange: Exchange): MaybePromise<boolean>
  /** Creates the messages of the prompt for the arguments in `call`. @returns a `GetPromptResult` of MCP */
  get(call: McpCall): MaybePromise<Readonly<Record<string, unknown>>>
  complete?(exchange: Exchange, argument: string, start: string): MaybePromise<readonly string[]>
}

import type { Exchange, MaybePromise } from '../../../core/doors/plugin.ts'
import type { McpCall } from '../tools/mcp-tool.ts'

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
  /**
   * Reads a resource.
   * @param value value of the variable in the URI
   * @returns `null` when there is no such resource
   */
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
  /** Creates the messages of the prompt. @returns the content of a `GetPromptResult` */
  get(call: McpCall): MaybePromise<Readonly<Record<string, unknown>>>
  complete?(exchange: Exchange, argument: string, start: string): MaybePromise<readonly string[]>
}

import type { GenerationSlot } from '../../../core/doors/front.ts'
import { type Exchange, type Generation, isPromise, type MaybePromise, SvcError } from '../../../core/doors/plugin.ts'
import type { McpTool } from '../tools/mcp-tool.ts'
import { pluginTool } from '../tools/plugin-tool.ts'
import type { Tool } from '../tools/tool.ts'
import type { McpPrompt, McpResource, McpResourceTemplate } from './mcp-offers.ts'

/** Tools and prompts that svc generates from the operations of a schema. */
export interface SchemaOffers {
  readonly tools: ReadonlyMap<string, Tool>
  readonly prompts: readonly McpPrompt[]
}

/** All tools, resources and prompts of the MCP server: those of the schema, and those that plugins add. */
export class Offers {
  readonly resources = new Map<string, McpResource>()
  readonly templates: McpResourceTemplate[] = []
  readonly #tools = new Map<string, Tool>()
  readonly #prompts = new Map<string, McpPrompt>()
  readonly #ofSchema: GenerationSlot<SchemaOffers>

  constructor(ofSchema: GenerationSlot<SchemaOffers>) {
    this.#ofSchema = ofSchema
  }

  addTool(tool: McpTool): void {
    if (this.#tools.has(tool.name)) throw twice('tool', tool.name)
    this.#tools.set(tool.name, pluginTool(tool))
  }

  addPrompt(prompt: McpPrompt): void {
    if (this.#prompts.has(prompt.name)) throw twice('prompt', prompt.name)
    this.#prompts.set(prompt.name, prompt)
  }

  addResource(resource: McpResource): void {
    if (this.resources.has(resource.uri)) throw twice('resource', resource.uri)
    this.resources.set(resource.uri, resource)
  }

  tool(generation: Generation, name: string): Tool | undefined {
    return this.#tools.get(name) ?? this.#ofSchema.of(generation).tools.get(name)
  }

  tools(generation: Generation): readonly Tool[] {
    return merge(this.#ofSchema.of(generation).tools, this.#tools)
  }

  prompt(generation: Generation, name: string): McpPrompt | undefined {
    return this.#prompts.get(name) ?? this.#ofSchema.of(generation).prompts.find((each) => each.name === name)
  }

  prompts(generation: Generation): readonly McpPrompt[] {
    const ofSchema = new Map(this.#ofSchema.of(generation).prompts.map((each) => [each.name, each]))
    return merge(ofSchema, this.#prompts)
  }
}

/** Merges both by name. A plugin overrides the schema. */
function merge<T>(ofSchema: ReadonlyMap<string, T>, ofPlugins: ReadonlyMap<string, T>): readonly T[] {
  return [...new Map([...ofSchema, ...ofPlugins]).values()]
}

/** Returns the items that the caller of an exchange may use, in their order. @param may tests one item */
export async function allowed<T>(
  items: readonly T[],
  may: (item: T, exchange: Exchange) => MaybePromise<boolean>,
  exchange: Exchange,
): Promise<readonly T[]> {
  const shown: T[] = []
  for (const item of items) {
    const verdict = may(item, exchange)
    if (isPromise(verdict) ? await verdict : verdict) shown.push(item)
  }
  return shown
}

function twice(what: string, name: string): SvcError {
  return new SvcError('SVC_PROVIDE_DUPLICATE', `Two plugins offer agents the ${what} "${name}".`)
}

import type { ArgumentModel, NamedType } from '../../../core/doors/front.ts'
import type { McpPrompt } from '../offers/mcp-offers.ts'
import type { Tool } from '../tools/tool.ts'

/**
 * Creates an MCP prompt for each tool whose operation has a description. The user fills in the prompt, and the model
 * calls the tool.
 */
export function promptsOfTools(tools: Iterable<Tool>): readonly McpPrompt[] {
  return [...tools].flatMap((tool) => (tool.operation?.description === undefined ? [] : promptOf(tool)))
}

function promptOf(tool: Tool): McpPrompt {
  const { name, title, description, inputSchema } = tool.definition
  const offered = Object.keys((inputSchema as { readonly properties?: object }).properties ?? {})
  const args = [...tool.operation!.arguments.values()].filter(
    (each) => isPlain(each) && offered.includes(each.wireName),
  )
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    arguments: args.map((each) => ({
      name: each.wireName,
      ...(each.description === undefined ? {} : { description: each.description }),
      required: !each.type.nullable && each.default === undefined,
    })),
    mayGet: tool.mayCall,
    get({ arguments: given }) {
      const values = args.flatMap(({ wireName }) => {
        const value = given[wireName]
        return typeof value === 'string' ? [`- ${wireName}: ${JSON.stringify(value)}`] : []
      })
      const lines = [description, '', `Use the tool \`${name}\`${values.length === 0 ? '.' : ' with:'}`, ...values]
      return { description, messages: [{ role: 'user', content: { type: 'text', text: lines.join('\n') } }] }
    },
    complete(_exchange, argument, start) {
      const found = args.find((each) => each.wireName === argument)
      return found === undefined ? [] : valuesOf(found.named).filter((value) => value.startsWith(start))
    },
  }
}

/** Is it a value that a person can type? */
function isPlain({ named, type }: ArgumentModel): boolean {
  return type.kind !== 'list' && (named.kind === 'scalar' || named.kind === 'enum')
}

function valuesOf(named: NamedType): readonly string[] {
  if (named.kind === 'enum') return named.values.map(({ name }) => name)
  return named.name === 'Boolean' ? ['true', 'false'] : []
}

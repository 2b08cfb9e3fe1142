import { defineContract } from '../../core/doors/command.ts'
import type { NamedType } from '../../core/doors/front.ts'
import type { ObjectType } from '../../core/doors/plugin.ts'
import type { McpOptions } from './options.ts'
import type { OperationToolParts } from './tools/prepared-tool.ts'
import { toolsOfSchema } from './tools/tools-of-schema.ts'

/** Levels of the described fields: `a`, `a.b`. */
const LEVELS = 2

/** Definitions of tools need no engine, and nothing calls these tools. */
const NOT_CALLED = {} as OperationToolParts['scope']

/** Describes the MCP tools of the schema, which `svc diff` compares. Tools of other plugins are not included. */
export default defineContract<McpOptions>({
  consumers: 'mcp',
  describe({ schema, options }) {
    const tools = [...toolsOfSchema(schema, options, NOT_CALLED).values()]
    return {
      tools: tools.map(({ definition, operation }) => ({
        ...definition,
        fields: operation === undefined ? [] : fieldsOf(operation.named, LEVELS),
      })),
    }
  },
})

/** Returns the names of fields that an agent can request, with those of objects behind a dot. */
function fieldsOf(named: NamedType, levels: number): readonly string[] {
  const names = membersOf(named).flatMap((type) =>
    [...type.fields.values()].flatMap((field) => {
      const below = levels === 1 ? [] : fieldsOf(field.named, levels - 1)
      return [field.wireName, ...below.map((name) => `${field.wireName}.${name}`)]
    }),
  )
  return [...new Set(names)].sort()
}

function membersOf(named: NamedType): readonly ObjectType[] {
  if (named.kind === 'object') return [named]
  return named.kind === 'interface' || named.kind === 'union' ? named.members : []
}

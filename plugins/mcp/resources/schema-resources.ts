import { type Exchange, type FieldModel, type NamedType, type ObjectType, printTypeRef } from '../../../core/index.ts'
import type { McpResource, McpResourceTemplate } from '../api.ts'
import { allowed, type Offers } from '../offers.ts'
import type { CallableOperation } from '../tools/prepared-tool.ts'
import type { Tool } from '../tools/tool.ts'

const JSON_TYPE = 'application/json'

interface OperationTool extends Tool {
  readonly operation: CallableOperation
}

/** The schema as an agent may read it: what the caller's tools lead to, and nothing else. */
function schemaResource(offers: Offers): McpResource {
  return {
    uri: 'svc://schema',
    name: 'schema',
    title: 'Schema',
    description: 'Tools and types of this service, as far as you may use them.',
    mimeType: JSON_TYPE,
    async read(exchange) {
      const tools = await toolsFor(offers, exchange)
      const shown = tools.map(({ definition: { name, description }, operation: { kind, type } }) => {
        return { name, kind, answers: printTypeRef(type), description }
      })
      const types = [...reachable(tools).values()].map(({ name, kind, description }) => ({ name, kind, description }))
      return { text: JSON.stringify({ tools: shown, types }) }
    },
  }
}

/** One type: its fields, or its values. */
function typeResources(offers: Offers): McpResourceTemplate {
  return {
    uriTemplate: 'svc://type/{name}',
    name: 'type',
    title: 'Type',
    description: 'Fields of a type, or values of an enum.',
    mimeType: JSON_TYPE,
    async read(exchange, name) {
      const type = reachable(await toolsFor(offers, exchange)).get(name)
      return type === undefined ? null : { text: JSON.stringify(describeType(type)) }
    },
    async complete(exchange, start) {
      return [...reachable(await toolsFor(offers, exchange)).keys()].filter((name) => name.startsWith(start)).sort()
    },
  }
}

/** One query or mutation: what its tool takes and answers. */
function operationResources(offers: Offers, kind: 'query' | 'mutation'): McpResourceTemplate {
  const find = async (exchange: Exchange) =>
    (await toolsFor(offers, exchange)).filter(({ operation }) => operation.kind === kind)
  return {
    uriTemplate: `svc://${kind}/{name}`,
    name: kind,
    title: kind === 'query' ? 'Query' : 'Mutation',
    description: `What the tool of a ${kind} takes and answers.`,
    mimeType: JSON_TYPE,
    async read(exchange, name) {
      const tool = (await find(exchange)).find(({ definition }) => definition.name === name)
      return tool === undefined ? null : { text: JSON.stringify(tool.definition) }
    },
    async complete(exchange, start) {
      return (await find(exchange)).map(({ definition }) => definition.name).filter((name) => name.startsWith(start))
    },
  }
}

async function toolsFor(offers: Offers, exchange: Exchange): Promise<readonly OperationTool[]> {
  const own = offers.tools(exchange.generation).filter((tool): tool is OperationTool => tool.operation !== undefined)
  return allowed(own, (tool) => tool.mayCall(exchange), exchange)
}

/** Types that answers of these tools are made of, by name. */
function reachable(tools: readonly OperationTool[]): ReadonlyMap<string, NamedType> {
  const found = new Map<string, NamedType>()
  const waiting = tools.map(({ operation }) => operation.named)
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (found.has(type.name) || (type.kind === 'scalar' && !type.custom)) continue
    found.set(type.name, type)
    if (type.kind === 'interface' || type.kind === 'union') waiting.push(...type.members)
    for (const { named } of fieldsOf(type)) waiting.push(named)
  }
  return found
}

function fieldsOf(type: NamedType): readonly FieldModel[] {
  return type.kind === 'object' || type.kind === 'interface' ? [...(type as ObjectType).fields.values()] : []
}

function describeType(type: NamedType): object {
  const { name, kind, description } = type
  if (type.kind === 'enum') return { name, kind, description, values: type.values.map((each) => each.name) }
  if (type.kind === 'union') return { name, kind, description, members: type.members.map((each) => each.name) }
  const fields = fieldsOf(type).map((field) => ({
    name: field.wireName,
    type: printTypeRef(field.type),
    description: field.description,
    deprecated: field.deprecated,
  }))
  return { name, kind, description, ...(fields.length === 0 ? {} : { fields }) }
}

/** The schema and its parts as resources. */
export function offerSchema(offers: Offers): void {
  offers.addResource(schemaResource(offers))
  offers.templates.push(
    typeResources(offers),
    operationResources(offers, 'query'),
    operationResources(offers, 'mutation'),
  )
}

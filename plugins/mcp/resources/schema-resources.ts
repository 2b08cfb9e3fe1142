import { printTypeRef } from '../../../core/doors/front.ts'
import type { Engine, Exchange } from '../../../core/doors/plugin.ts'
import type { McpResource, McpResourceTemplate } from '../api.ts'
import { allowed, type Offers } from '../offers.ts'
import type { OperationTool } from '../tools/tool.ts'
import { type VisibleType, visibleTypes } from './visible-types.ts'

const JSON_TYPE = 'application/json'

type Guards = Pick<Engine, 'authorize'>

/** The schema as an agent may read it: what the caller's tools lead to, and nothing else. */
function schemaResource(offers: Offers, guards: Guards): McpResource {
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
      const visible = await visibleTypes(tools, guards, exchange)
      const types = [...visible.values()].map(({ type: { name, kind, description } }) => ({ name, kind, description }))
      return { text: JSON.stringify({ tools: shown, types }) }
    },
  }
}

/** One type: its fields, or its values. */
function typeResources(offers: Offers, guards: Guards): McpResourceTemplate {
  const find = async (exchange: Exchange) => visibleTypes(await toolsFor(offers, exchange), guards, exchange)
  return {
    uriTemplate: 'svc://type/{name}',
    name: 'type',
    title: 'Type',
    description: 'Fields of a type, or values of an enum.',
    mimeType: JSON_TYPE,
    async read(exchange, name) {
      const found = (await find(exchange)).get(name)
      return found === undefined ? null : { text: JSON.stringify(describeType(found)) }
    },
    async complete(exchange, start) {
      return [...(await find(exchange)).keys()].filter((name) => name.startsWith(start)).sort()
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

function describeType({ type, fields }: VisibleType): object {
  const { name, kind, description } = type
  if (type.kind === 'enum') return { name, kind, description, values: type.values.map((each) => each.name) }
  if (type.kind === 'union') return { name, kind, description, members: type.members.map((each) => each.name) }
  const shown = fields.map((field) => ({
    name: field.wireName,
    type: printTypeRef(field.type),
    description: field.description,
    deprecated: field.deprecated,
  }))
  return { name, kind, description, ...(shown.length === 0 ? {} : { fields: shown }) }
}

/** The schema and its parts as resources. */
export function offerSchema(offers: Offers, guards: Guards): void {
  offers.addResource(schemaResource(offers, guards))
  offers.templates.push(
    typeResources(offers, guards),
    operationResources(offers, 'query'),
    operationResources(offers, 'mutation'),
  )
}

import { deniedBehind, type NamedType, typeRefs } from '../../../core/doors/front.ts'
import type { Engine, Exchange, FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import type { McpResource, McpResourceTemplate } from '../offers/mcp-offers.ts'
import { allowed, type Offers } from '../offers/offers.ts'
import type { OperationTool } from '../tools/tool.ts'

const JSON_TYPE = 'application/json'

type Guards = Pick<Engine, 'authorize'>

/** The resource with the tools of the caller and the types that these tools reach. */
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
        return { name, kind, answers: typeRefs.print(type), description }
      })
      const visible = await visibleTypes(tools, guards, exchange)
      const types = [...visible.values()].map(({ type: { name, kind, description } }) => ({ name, kind, description }))
      return { text: JSON.stringify({ tools: shown, types }) }
    },
  }
}

/** Resources with the fields of an object type, or the values of an enum. */
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

/** Resources with the definition of the tool of a query or mutation. */
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
    type: typeRefs.print(field.type),
    description: field.description,
    deprecated: field.deprecated,
  }))
  return { name, kind, description, ...(shown.length === 0 ? {} : { fields: shown }) }
}

/**
 * Adds MCP resources that describe the schema: the whole schema, each type and each operation.
 * @param guards decide what a caller may see
 */
export function offerSchema(offers: Offers, guards: Guards): void {
  offers.addResource(schemaResource(offers, guards))
  offers.templates.push(
    typeResources(offers, guards),
    operationResources(offers, 'query'),
    operationResources(offers, 'mutation'),
  )
}

/** A type with the fields that the caller may see. */
interface VisibleType {
  readonly type: NamedType
  readonly fields: readonly FieldModel[]
}

/**
 * Returns the types that results of the tools can contain, by name, with the fields that the caller may see. A type that only hidden
 * fields reach is left out.
 */
async function visibleTypes(
  tools: readonly OperationTool[],
  guards: Pick<Engine, 'authorize'>,
  exchange: Exchange,
): Promise<ReadonlyMap<string, VisibleType>> {
  const found = new Map<string, VisibleType>()
  const unsaid: NamedType[] = []
  for (const { operation } of tools) {
    // The types below it were visited with it.
    if (found.has(operation.named.name)) continue
    const isDenied = await deniedBehind(guards, exchange, operation)
    if (isDenied === null) unsaid.push(operation.named)
    else walk(found, operation.named, isDenied)
  }
  // `null`: it is unknown which fields are denied, so the type is shown without fields.
  for (const type of unsaid) if (!found.has(type.name) && isShown(type)) found.set(type.name, { type, fields: [] })
  return found
}

function walk(found: Map<string, VisibleType>, start: NamedType, isDenied: (target: string) => boolean): void {
  const waiting = [start]
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (found.has(type.name) || !isShown(type) || isDenied(type.name)) continue
    const fields = fieldsOf(type, isDenied)
    found.set(type.name, { type, fields })
    if (type.kind === 'interface' || type.kind === 'union') waiting.push(...type.members)
    for (const { named } of fields) waiting.push(named)
  }
}

function isShown(type: NamedType): boolean {
  return type.kind !== 'scalar' || type.custom
}

/** The caller sees a field of an interface if at least one implementing type shows it. */
function fieldsOf(type: NamedType, isDenied: (target: string) => boolean): readonly FieldModel[] {
  if (type.kind !== 'object' && type.kind !== 'interface') return []
  const owners = type.kind === 'object' ? [type.name] : type.members.map(({ name }) => name)
  return [...(type as ObjectType).fields.values()].filter(
    ({ wireName, named }) =>
      !isDenied(named.name) && owners.some((name) => !isDenied(name) && !isDenied(`${name}.${wireName}`)),
  )
}

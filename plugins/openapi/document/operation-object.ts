import type { BodyDescription, BodyMember, RestRoute, RouteDescription } from '../../rest/api.ts'
import { answerResponses } from './answer-responses.ts'
import type { Components } from './components.ts'
import { errorResponse, otherError } from './error-responses.ts'
import { compact, type Json, paragraphs } from './json.ts'
import type { ParameterObjects } from './parameter-objects.ts'
import { operationSecurity, type Security } from './security.ts'
import { objectSchema, rightsText, type TypeSchemas } from './type-schemas.ts'

/** Objects that write the parts of an OpenAPI operation. */
export interface Writers {
  readonly components: Components
  readonly types: TypeSchemas
  readonly parameters: ParameterObjects
  readonly security: Security
  /** `true` if rate limiting is enabled, so that each operation can respond with 429. */
  readonly rateLimited: boolean
}

/**
 * Writes the OpenAPI operation object of a REST route.
 * @param id value of `operationId`
 * @param writers write parameters, schemas and security of the operation
 */
export function operationObject(described: RouteDescription, id: string, writers: Writers): Json {
  const { components, types, parameters, security } = writers
  const { route, body } = described
  const { operation, resource } = route
  const { description, deprecated } = operation
  const statuses = writers.rateLimited ? [...described.refusals, 429].sort((a, b) => a - b) : described.refusals
  return compact({
    operationId: id,
    tags: [resource?.name ?? OTHER_TAG],
    summary: summaryOf(route),
    description: paragraphs(
      description,
      deprecated === undefined ? undefined : `Deprecated: ${deprecated}`,
      rightsText(operation),
      operation.requiresPolicy === undefined ? undefined : `The policy \`${operation.requiresPolicy}\` decides.`,
      operation.apiKeyRequired ? 'Needs an API key.' : undefined,
    ),
    deprecated: deprecated === undefined ? undefined : true,
    parameters: described.parameters.length === 0 ? undefined : described.parameters.map((one) => parameters.of(one)),
    requestBody: body === null ? undefined : requestBody(route, body, types, components),
    responses: {
      ...answerResponses(described, types, components),
      ...Object.fromEntries(statuses.map((status) => [String(status), errorResponse(status, components)])),
      default: otherError(components),
    },
    security: operationSecurity(operation, security),
  })
}

/** OpenAPI tag of operations that belong to no resource. */
export const OTHER_TAG = 'operations'

function summaryOf({ kind, operation, resource, otherArguments }: RestRoute): string {
  const type = resource?.type.name ?? operation.named.name
  switch (kind) {
    case 'collection':
      return `List rows of ${type} (${operation.wireName})`
    case 'single':
      return `Read one ${type} (${operation.wireName})`
    case 'value':
      return `Read ${operation.wireName}`
    case 'create':
      return `Create a ${type}`
    case 'replace':
      return `Replace a ${type}`
    case 'update':
      return `Change a ${type}`
    case 'delete':
      return `Delete a ${type}`
    case 'create-many':
      return `Create many of ${type}`
    case 'update-many':
      return `Change all of ${type} that match`
    case 'delete-many':
      return `Delete all of ${type} that match`
    case 'stream':
      return `Follow changes of ${type}`
    case 'action':
      return `Call ${operation.wireName}${otherArguments.length === 0 ? '' : ' with arguments'}`
  }
}

const SUFFIXES: Partial<Record<RestRoute['kind'], string>> = {
  stream: 'Stream',
  replace: 'Replace',
  'create-many': 'Many',
  'update-many': 'Many',
  'delete-many': 'Many',
}

/** Returns the OpenAPI `operationId` of each route. They are unique and do not depend on the caller. */
export function operationIds(routes: readonly RestRoute[]): ReadonlyMap<RestRoute, string> {
  const names = new Set(routes.map(({ operation }) => operation.wireName))
  const taken = new Set<string>()
  return new Map(
    routes.map((route) => {
      const { operation, kind } = route
      const suffix = SUFFIXES[kind] ?? ''
      let id = `${operation.wireName}${suffix}`
      for (let number = 2; taken.has(id) || (suffix !== '' && names.has(id)); number++)
        id = `${operation.wireName}${suffix}${number}`
      taken.add(id)
      return [route, id] as const
    }),
  )
}

/** Returns the request body of a route. */
function requestBody(
  route: RestRoute,
  { types: mediaTypes, optional, members, input, shape, mostRows }: BodyDescription,
  types: TypeSchemas,
  components: Components,
): Json {
  const one = bodySchema()
  const many: Json = { type: 'array', items: one, maxItems: mostRows }
  const schema = shape === 'one' ? one : shape === 'many' ? many : { oneOf: [one, many] }
  return { required: !optional, content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])) }

  function bodySchema(): Json {
    // References the input type if the route requires the same members as the type.
    if (input !== null && members.every(isAsDeclared)) return types.named(input, 'in')
    const { wireName } = route.operation
    const kind = route.kind === 'update' || route.kind === 'update-many' ? 'Patch' : ''
    const name = `${wireName.slice(0, 1).toUpperCase()}${wireName.slice(1)}${kind}Body`
    const key = `body:${wireName}:${members.map(({ field, required }) => `${field.wireName}${required}`).join()}`
    return components.schema(key, name, () =>
      objectSchema(
        input?.description,
        members.map(({ field }) => [field.wireName, types.member(field)]),
        members.filter(({ required }) => required).map(({ field }) => field.wireName),
        true,
      ),
    )
  }
}

function isAsDeclared({ field: { type, default: byDefault }, required }: BodyMember): boolean {
  return required === (!type.nullable && byDefault === undefined)
}

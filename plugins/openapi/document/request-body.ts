import type { BodyDescription, BodyMember, RestRoute } from '../../rest/api.ts'
import type { Components } from './components.ts'
import type { Json } from './json.ts'
import { objectSchema, type TypeSchemas } from './type-schemas.ts'

/** The body that a route reads. */
export function requestBody(
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
    // The input as it stands, where the route wants no more of it than it says itself.
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

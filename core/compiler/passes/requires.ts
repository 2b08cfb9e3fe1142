import type { AuthoredSchema } from '../../schema/authored.ts'
import type { KeyUse, OwnedKeys, OwnedPlace } from '../../schema/plugin-keys.ts'
import type { Raw } from './raw.ts'

/**
 * Returns the names of the plugins without which the service must not start, because it would ignore access rules of
 * the schema. Options that are harmless without their plugin (a REST path, a cache lifetime) require none.
 * @param owned keys of `schema.json` that plugins define
 */
export function requiredPlugins(schema: AuthoredSchema, owned: readonly OwnedKeys[]): readonly string[] {
  const required = owned.filter(({ requiredBy = {} }) =>
    Object.entries(requiredBy).some(([place, uses]) =>
      elementsAt(schema, place as OwnedPlace).some((element) =>
        Object.entries(uses).some(([key, use]) => isUsed(element[key], use)),
      ),
    ),
  )
  return required.map(({ plugin }) => plugin).sort()
}

function isUsed(value: unknown, use: KeyUse): boolean {
  if (value === undefined) return false
  if (use === 'set') return true
  if (use === 'filled') return Object.keys(value as object).length > 0
  return value === use.is
}

/** Returns the elements of a schema that can have keys of this kind. */
function elementsAt(schema: AuthoredSchema, place: OwnedPlace): readonly Readonly<Raw>[] {
  return elements(schema, place) as unknown as readonly Readonly<Raw>[]
}

function elements(schema: AuthoredSchema, place: OwnedPlace): readonly object[] {
  const { types = [], interfaces = [], input_types: inputs = [] } = schema
  const { queries = [], mutations = [], subscriptions = [] } = schema
  const operations = [...queries, ...mutations, ...subscriptions]
  switch (place) {
    case 'schema':
      return [schema]
    case 'type':
      return types
    case 'interface':
      return interfaces
    case 'field':
      return [...types, ...interfaces].flatMap(({ fields }) => fields)
    case 'union':
      return schema.unions ?? []
    case 'enum':
      return schema.enums ?? []
    case 'input':
      return inputs
    case 'input_field':
      return inputs.flatMap(({ fields }) => fields)
    case 'scalar':
      return schema.custom_scalars ?? []
    case 'query':
      return queries
    case 'mutation':
      return mutations
    case 'subscription':
      return subscriptions
    case 'operation':
      return operations
    case 'argument':
      return operations.flatMap((operation) => operation.arguments ?? [])
  }
}

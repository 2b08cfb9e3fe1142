import type { NamedType } from '../../../core/doors/front.ts'
import type { SchemaModel } from '../../../core/doors/plugin.ts'

const known = new WeakMap<SchemaModel, ReadonlyMap<string, NamedType>>()

/**
 * Returns the types of the compiled schema that belong to the GraphQL schema, by name. Types of Arrow queries do not.
 */
export function graphqlTypes(model: SchemaModel): ReadonlyMap<string, NamedType> {
  let types = known.get(model)
  if (types === undefined) {
    const shown = [...model.types].filter(([, type]) => type.kind !== 'object' || type.dataplane === 'graphql')
    types = shown.length === model.types.size ? model.types : new Map(shown)
    known.set(model, types)
  }
  return types
}

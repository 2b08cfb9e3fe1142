import {
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'

/**
 * All types that these speak of, directly or not, in breadth-first order. GraphQL's own search calls itself, once per
 * type that leads to another: a few thousand types in a row overflow the stack. Given all of them, it has nothing to do.
 */
export function reachableTypes(from: readonly GraphQLNamedType[]): readonly GraphQLNamedType[] {
  const found = new Set<GraphQLNamedType>(from)
  // A Set visits what is added while it is walked through.
  for (const type of found) for (const next of neighbours(type)) found.add(getNamedType(next))
  return [...found]
}

function* neighbours(type: GraphQLNamedType): Iterable<GraphQLType> {
  if (isUnionType(type)) yield* type.getTypes()
  if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) yield field.type
  if (!isObjectType(type) && !isInterfaceType(type)) return
  yield* type.getInterfaces()
  for (const field of Object.values(type.getFields())) {
    yield field.type
    for (const argument of field.args) yield argument.type
  }
}

import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
  type ValueNode,
} from 'graphql'
import type { ScalarType } from '../../../core/doors/driver.ts'
import { ExactNumber, findScalar, type ScalarShape } from '../../../core/doors/front.ts'
import { readLiteral } from '../document/read-literal.ts'

const SPECIFIED: ReadonlyMap<string, GraphQLScalarType> = new Map(
  [GraphQLID, GraphQLString, GraphQLInt, GraphQLFloat, GraphQLBoolean].map((type) => [type.name, type]),
)

/** @param declared the schema's own entry, for the texts of a custom scalar */
export function createScalarType(shape: ScalarShape, declared: ScalarType | undefined): GraphQLScalarType {
  const specified = SPECIFIED.get(shape.name)
  if (specified !== undefined) return specified
  const builtin = findScalar(shape.name)
  return new GraphQLScalarType({
    name: shape.name,
    description: declared?.description ?? builtin?.description,
    specifiedByURL: declared?.specifiedByUrl ?? builtin?.specifiedByUrl,
    // Only defaults are serialised here, to be shown by introspection. One that is an object or a list cannot be
    // written as a literal of a scalar: none is shown.
    // A number that no double holds is shown as text, which its scalars take as well.
    serialize: (value) => (value instanceof ExactNumber ? value.toString() : typeof value === 'object' ? null : value),
    parseValue: shape.parse,
    parseLiteral: (node) => parseLiteral(shape, node),
  })
}

function parseLiteral(shape: ScalarShape, node: ValueNode): unknown {
  try {
    return readLiteral(shape, node)
  } catch (error) {
    throw new GraphQLError(error instanceof Error ? error.message : String(error), { nodes: node })
  }
}

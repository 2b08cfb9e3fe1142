import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  type ValueNode,
} from 'graphql'
import type { EnumType, ScalarType } from '../../../core/doors/driver.ts'
import {
  type ArgumentShapes,
  type EnumShape,
  ExactNumber,
  findScalar,
  type InputShape,
  type ScalarShape,
  type ShapeField,
  type TypeRef,
} from '../../../core/doors/front.ts'
import type { SchemaModel } from '../../../core/doors/plugin.ts'
import { readLiteral } from './read-literal.ts'

type NamedInputType = Exclude<GraphQLInputType, GraphQLList<GraphQLInputType> | GraphQLNonNull<never>>

/** Creates GraphQL input types from svc's descriptions of input values. The same description yields the same type. */
export interface InputTypes {
  /** Returns the GraphQL type for a description, without list and non-null wrappers. */
  of(shape: InputShape): NamedInputType
  /**
   * Returns the description of an input type by its name; `undefined` until {@link InputTypes.of} has made the type.
   */
  shape(typeName: string): InputShape | undefined
  arguments(shapes: ArgumentShapes): Record<string, GraphQLArgumentConfig>
}

export function createInputTypes(model: SchemaModel): InputTypes {
  const types = new Map<string, NamedInputType>()
  const shapes = new Map<string, InputShape>()

  function of(shape: InputShape): NamedInputType {
    let type = types.get(shape.name)
    if (type === undefined) {
      type = create(shape)
      types.set(shape.name, type)
      shapes.set(shape.name, shape)
    }
    return type
  }

  function create(shape: InputShape): NamedInputType {
    const declared = model.types.get(shape.name)
    if (shape.kind === 'scalar') return createScalarType(shape, declared as ScalarType | undefined)
    if (shape.kind === 'enum') return createEnumType(shape, declared as EnumType | undefined)
    return new GraphQLInputObjectType({
      name: shape.name,
      description: shape.description,
      isOneOf: shape.oneOf,
      fields: () =>
        Object.fromEntries(
          [...shape.fields()].map(([name, field]): [string, GraphQLInputFieldConfig] => [name, toConfig(field)]),
        ),
    })
  }

  function toConfig(field: ShapeField): GraphQLArgumentConfig & GraphQLInputFieldConfig {
    return {
      type: wrap(field.type, of(field.shape)),
      description: field.description,
      deprecationReason: field.deprecated,
      // Introspection serialises a default with its type, and all types here accept the wire form.
      defaultValue: field.default,
    }
  }

  return {
    of,
    shape: (typeName) => shapes.get(typeName),
    arguments: (fields) => Object.fromEntries([...fields].map(([name, field]) => [name, toConfig(field)])),
  }
}

function createEnumType({ name, values, description }: EnumShape, declared: EnumType | undefined): GraphQLEnumType {
  const texts = new Map(declared?.values.map((value) => [value.name, value]))
  return new GraphQLEnumType({
    name,
    description: declared?.description ?? description,
    values: Object.fromEntries(
      [...values].map((value) => [
        value,
        { value, description: texts.get(value)?.description, deprecationReason: texts.get(value)?.deprecated },
      ]),
    ),
  })
}

function wrap(ref: TypeRef, named: NamedInputType): GraphQLInputType {
  const inner: GraphQLInputType = ref.kind === 'list' ? new GraphQLList(wrap(ref.of, named)) : named
  return ref.nullable ? inner : new GraphQLNonNull(inner as never)
}

const SPECIFIED: ReadonlyMap<string, GraphQLScalarType> = new Map(
  [GraphQLID, GraphQLString, GraphQLInt, GraphQLFloat, GraphQLBoolean].map((type) => [type.name, type]),
)

/** @param declared declaration in the schema, with the texts of a custom scalar */
function createScalarType(shape: ScalarShape, declared: ScalarType | undefined): GraphQLScalarType {
  const specified = SPECIFIED.get(shape.name)
  if (specified !== undefined) return specified
  const builtin = findScalar(shape.name)
  return new GraphQLScalarType({
    name: shape.name,
    description: declared?.description ?? builtin?.description,
    specifiedByURL: declared?.specifiedByUrl ?? builtin?.specifiedByUrl,
    // Only introspection serialises values here, for defaults. An object or a list cannot be written as a literal of a scalar, so
    // introspection shows no default. A number that a double cannot represent is shown as a string, which its scalars accept too.
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

import {
  type GraphQLFieldConfig,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLUnionType,
} from 'graphql'
import {
  argumentsOfField,
  type GeneratedInputs,
  type InterfaceType,
  type NamedType,
  shapeOf,
  type TypeRef,
} from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import type { InputTypes } from './input-types.ts'
import { NODE_INTERFACE } from './relay-types.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

/** Returns the fields that svc generates in a type beside one of its relations, such as aggregates. */
export type FieldsBeside = (relation: FieldModel) => readonly (readonly [name: string, config: FieldConfig])[]

/** Creates GraphQL output types from the compiled schema. The fields of a type are made at its first use. */
export interface OutputTypes {
  /** Returns the GraphQL type for a type of the compiled schema, without list and non-null wrappers. */
  of(named: NamedType): GraphQLOutputType
  object(type: ObjectType): GraphQLObjectType
  interface(type: InterfaceType): GraphQLInterfaceType
  /**
   * Returns the GraphQL type with list and non-null wrappers.
   * @param ref the type with its wrappers
   * @param named the type without wrappers
   */
  wrap(ref: TypeRef, named: NamedType): GraphQLOutputType
}

/**
 * Creates the output types of the GraphQL schema.
 * @param fieldsBeside returns the fields that svc generates beside a field; called when the fields of its type are made
 */
export function createOutputTypes(
  inputs: GeneratedInputs,
  inputTypes: InputTypes,
  fieldsBeside: FieldsBeside,
): OutputTypes {
  const types = new Map<NamedType, GraphQLOutputType>()
  const objects = new Map<ObjectType, GraphQLObjectType>()
  const interfaces = new Map<InterfaceType, GraphQLInterfaceType>()

  function of(named: NamedType): GraphQLOutputType {
    if (named.kind === 'object') return object(named)
    if (named.kind === 'interface') return asInterface(named)
    let type = types.get(named)
    if (type === undefined) {
      type = named.kind === 'union' ? createUnion(named) : (inputTypes.of(shapeOf(named)) as GraphQLOutputType)
      types.set(named, type)
    }
    return type
  }

  function object(type: ObjectType): GraphQLObjectType {
    let result = objects.get(type)
    if (result === undefined) {
      result = new GraphQLObjectType({
        name: type.name,
        description: type.description,
        interfaces: () => [...(type.relay ? [NODE_INTERFACE] : []), ...type.interfaces.map(asInterface)],
        fields: () => fieldsOf(type),
      })
      objects.set(type, result)
    }
    return result
  }

  function asInterface(type: InterfaceType): GraphQLInterfaceType {
    let result = interfaces.get(type)
    if (result === undefined) {
      result = new GraphQLInterfaceType({
        name: type.name,
        description: type.description,
        fields: () => fieldsOf(type),
      })
      interfaces.set(type, result)
    }
    return result
  }

  function createUnion(type: Extract<NamedType, { kind: 'union' }>): GraphQLUnionType {
    return new GraphQLUnionType({
      name: type.name,
      description: type.description,
      types: () => type.members.map(object),
    })
  }

  function fieldsOf(type: ObjectType | InterfaceType): Record<string, FieldConfig> {
    return Object.fromEntries(
      [...type.fields.values()].flatMap((field): (readonly [string, FieldConfig])[] => [
        [field.wireName, toConfig(field)],
        ...fieldsBeside(field),
      ]),
    )
  }

  function toConfig(field: FieldModel): FieldConfig {
    return {
      type: wrap(field.type, field.named),
      args: inputTypes.arguments(argumentsOfField(field, inputs)),
      description: field.description,
      deprecationReason: field.deprecated,
    }
  }

  function wrap(ref: TypeRef, named: NamedType): GraphQLOutputType {
    return wrapOutput(ref, of(named))
  }

  return { of, object, interface: asInterface, wrap }
}

function wrapOutput(ref: TypeRef, named: GraphQLOutputType): GraphQLOutputType {
  const inner: GraphQLOutputType = ref.kind === 'list' ? new GraphQLList(wrapOutput(ref.of, named)) : named
  return ref.nullable ? inner : new GraphQLNonNull(inner as never)
}

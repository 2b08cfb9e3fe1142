import {
  type GraphQLArgument,
  GraphQLEnumType,
  type GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLScalarType,
  getNamedType,
} from 'graphql'
import { type ArgumentShapes, type InputShape, lazily, type ShapeField, typeRefs } from '../../../core/doors/front.ts'
import type { InputTypes } from '../types/input-types.ts'
import type { ExtensionTypes } from './extension-types.ts'

/** Descriptions of plugins' input types, with which svc checks argument values. */
export interface ExtensionShapes {
  /** Returns how to check values of an input type of a plugin; `undefined`: no plugin defines this type. */
  shape(typeName: string): InputShape | undefined
  /** Returns how to check the arguments of a plugin's root field. */
  arguments(args: readonly GraphQLArgument[]): ArgumentShapes
}

/**
 * Creates the descriptions of plugins' input types for checking argument values.
 * @param inputTypes input types of the schema, to which plugins may refer
 */
export function createExtensionShapes(types: ExtensionTypes, inputTypes: InputTypes): ExtensionShapes {
  const shapes = new Map<string, InputShape>()

  function shape(typeName: string): InputShape | undefined {
    const known = shapes.get(typeName)
    const type = types.get(typeName)
    if (known !== undefined || type === undefined) return known
    const made = create(typeName)
    if (made !== undefined) shapes.set(typeName, made)
    return made
  }

  function create(typeName: string): InputShape | undefined {
    const type = types.get(typeName)
    if (type instanceof GraphQLScalarType) {
      return {
        kind: 'scalar',
        name: typeName,
        base: null,
        parse: (value) => value,
        numbersAsText: false,
        parseLiteral: null,
      }
    }
    if (type instanceof GraphQLEnumType) {
      return { kind: 'enum', name: typeName, values: new Set(type.getValues().map((value) => value.name)) }
    }
    if (!(type instanceof GraphQLInputObjectType)) return undefined
    const fields = lazily(() => toFields(Object.values(type.getFields())))
    return { kind: 'object', name: typeName, description: type.description ?? undefined, oneOf: false, fields }
  }

  function toFields(members: readonly (GraphQLArgument | GraphQLInputField)[]): ArgumentShapes {
    return new Map(members.map((member) => [member.name, toField(member)]))
  }

  function toField({
    name,
    type,
    defaultValue,
    description,
    deprecationReason,
  }: GraphQLArgument | GraphQLInputField): ShapeField {
    const named = getNamedType(type).name
    const found = shape(named) ?? inputTypes.shape(named)
    if (found === undefined) throw new Error(`The input ${named} has no shape`)
    return {
      name,
      type: typeRefs.of(String(type)),
      shape: found,
      description: description ?? undefined,
      deprecated: deprecationReason ?? undefined,
      default: defaultValue,
    }
  }

  return { shape, arguments: toFields }
}

import type { InputShape, ObjectShape, ShapeField } from '../../schema/input-shape.ts'
import type { ArgumentShapes } from './arguments.ts'
import { scalarSchema } from './scalar-schema.ts'
import { listed, type SchemaPart } from './schema-part.ts'

/**
 * Returns the JSON Schema (2020-12) for arguments, for tools and HTTP bodies: an object without additional members.
 * Input objects, such as filters, are in `$defs` by name.
 * @param names arguments to include; default: all
 */
export function schemaOfArguments(fields: ArgumentShapes, names: Iterable<string> = fields.keys()): SchemaPart {
  const definitions = new Map<string, SchemaPart>()
  const chosen = [...names].flatMap((name) => fields.get(name) ?? [])
  const schema = objectOf(chosen, definitions)
  return definitions.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(definitions) }
}

function objectOf(fields: readonly ShapeField[], definitions: Map<string, SchemaPart>): SchemaPart {
  const required = fields.filter(({ type, default: value }) => !type.nullable && value === undefined)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, memberOf(field, definitions)])),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
    additionalProperties: false,
  }
}

function memberOf(field: ShapeField, definitions: Map<string, SchemaPart>): SchemaPart {
  return {
    ...listed(field.type, () => inputOf(field.shape, definitions)),
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.deprecated === undefined ? {} : { deprecated: true }),
  }
}

function inputOf(shape: InputShape, definitions: Map<string, SchemaPart>): SchemaPart {
  if (shape.kind === 'scalar') return scalarSchema(shape.base, 'input')
  if (shape.kind === 'enum') return { type: 'string', enum: [...shape.values] }
  if (!definitions.has(shape.name)) {
    // Reserves the entry first, because the object may contain itself.
    definitions.set(shape.name, {})
    definitions.set(shape.name, definitionOf(shape, definitions))
  }
  return { $ref: `#/$defs/${shape.name}` }
}

function definitionOf(shape: ObjectShape, definitions: Map<string, SchemaPart>): SchemaPart {
  return {
    ...objectOf([...shape.fields().values()], definitions),
    ...(shape.description === undefined ? {} : { description: shape.description }),
    ...(shape.oneOf ? { minProperties: 1, maxProperties: 1 } : {}),
  }
}

import type { TypeRef } from '../../schema/type-ref.ts'

/** A JSON Schema, or a part of one, as a plain object. */
export type SchemaPart = Readonly<Record<string, unknown>>

/**
 * Returns the JSON Schema of a GraphQL type: the schema of the item, inside an array schema for each list level.
 * @param item returns the schema of the innermost type
 * @param showsNull `true`: allow null where the type is nullable. Omit it for inputs, because clients can leave out
 * null arguments
 */
export function listed(type: TypeRef, item: () => SchemaPart, showsNull = false): SchemaPart {
  const inner = type.kind === 'list' ? { type: 'array', items: listed(type.of, item, showsNull) } : item()
  return nullable(showsNull && type.nullable, inner)
}

/**
 * Returns a schema that allows null in addition if `may` is `true`. A schema that accepts any value is returned
 * unchanged.
 */
export function nullable(may: boolean, schema: SchemaPart): SchemaPart {
  if (!may || Object.keys(schema).length === 0) return schema
  if (schema.enum !== undefined)
    return { ...schema, type: [schema.type, 'null'].flat(), enum: [...(schema.enum as []), null] }
  if (schema.type !== undefined) return { ...schema, type: [schema.type, 'null'].flat() }
  return { anyOf: [schema, { type: 'null' }] }
}

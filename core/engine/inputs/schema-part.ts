import type { TypeRef } from '../../schema/type-ref.ts'

/** Part of a JSON Schema. */
export type SchemaPart = Readonly<Record<string, unknown>>

/**
 * Wraps the schema of an item in the schemas of its lists.
 * @param showsNull allows null where the type is nullable. Omitted for inputs, because clients can leave out null
 * arguments
 */
export function listed(type: TypeRef, item: () => SchemaPart, showsNull = false): SchemaPart {
  const inner = type.kind === 'list' ? { type: 'array', items: listed(type.of, item, showsNull) } : item()
  return nullable(showsNull && type.nullable, inner)
}

/** Allows null in addition. A schema that accepts any value is returned unchanged. */
export function nullable(may: boolean, schema: SchemaPart): SchemaPart {
  if (!may || Object.keys(schema).length === 0) return schema
  if (schema.enum !== undefined)
    return { ...schema, type: [schema.type, 'null'].flat(), enum: [...(schema.enum as []), null] }
  if (schema.type !== undefined) return { ...schema, type: [schema.type, 'null'].flat() }
  return { anyOf: [schema, { type: 'null' }] }
}

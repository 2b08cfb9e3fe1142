import type { TypeRef } from '../../schema/type-ref.ts'

/** Part of a JSON Schema. */
export type SchemaPart = Readonly<Record<string, unknown>>

/** @param showsNull says that null may stand there; of inputs it is left out, as an argument is left out */
export function listed(type: TypeRef, item: () => SchemaPart, showsNull = false): SchemaPart {
  const inner = type.kind === 'list' ? { type: 'array', items: listed(type.of, item, showsNull) } : item()
  return nullable(showsNull && type.nullable, inner)
}

/** A value that may be null, too. What takes any value takes that as well. */
export function nullable(may: boolean, schema: SchemaPart): SchemaPart {
  if (!may || Object.keys(schema).length === 0) return schema
  if (schema.enum !== undefined)
    return { ...schema, type: [schema.type, 'null'].flat(), enum: [...(schema.enum as []), null] }
  if (schema.type !== undefined) return { ...schema, type: [schema.type, 'null'].flat() }
  return { anyOf: [schema, { type: 'null' }] }
}

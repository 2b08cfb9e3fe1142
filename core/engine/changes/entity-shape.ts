import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import type { AuthoredType } from '../../schema/authored.ts'
import type { ObjectType } from '../../schema/model.ts'

/** Declared fields of a watched type. Events only contain the values of these fields. */
export interface EntityShape {
  readonly name: string
  readonly fields: readonly EntityField[]
  /** Finds a field by name, in any spelling. */
  readonly find: (name: string) => EntityField | undefined
}

export interface EntityField {
  /** Declared name of the field. */
  readonly name: string
  /** Keys that may contain the field in a row. */
  readonly keys: readonly string[]
  /** `true` if the numbers of the field are transmitted as texts (Decimal, BigInt). */
  readonly isNumberText: boolean
}

/** Returns the shape of a type in `schema.json`, for checks at compile time. */
export function shapeOfAuthored({ name, fields }: AuthoredType): EntityShape {
  return shapeOf(
    name,
    fields.map((field) => ({ ...field, base: field.type.replace(/[[\]!]/g, '') })),
  )
}

/** Returns the shape of a type of a running generation. */
export function shapeOfModel({ name, fields }: ObjectType): EntityShape {
  return shapeOf(
    name,
    [...fields.values()].map(({ name: field, named, read }) => ({
      name: field,
      base: named.kind === 'scalar' ? named.base : named.name,
      ...(read?.from === 'column' ? { column: read.column } : {}),
    })),
  )
}

function shapeOf(
  name: string,
  declared: readonly { readonly name: string; readonly base: string; readonly column?: string }[],
): EntityShape {
  const fields = declared.map((field) => ({
    name: field.name,
    keys: [...new Set([field.name, toSnakeCase(field.name), toWireName(field.name), field.column ?? field.name])],
    isNumberText: field.base === 'Decimal' || field.base === 'BigInt',
  }))
  const spellings = new Map(fields.flatMap((field) => field.keys.map((key) => [key, field] as const)))
  for (const field of fields) spellings.set(field.name, field)
  return { name, fields, find: (key) => spellings.get(key) }
}

import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import type { AuthoredType } from '../../schema/authored.ts'
import type { ObjectType } from '../../schema/model.ts'

/** The declared fields of a type whose changes are observed. Events contain only these fields. */
export interface EntityShape {
  readonly name: string
  readonly fields: readonly EntityField[]
  /** Finds a field by its declared name, its name in the API, its name in snake_case, or its column. */
  readonly find: (name: string) => EntityField | undefined
}

export interface EntityField {
  /** Name of the field in the schema. */
  readonly name: string
  /** Keys under which the JSON of a changed row may have the field: its names in several spellings, and its column. */
  readonly keys: readonly string[]
  /** `true` if the JSON of a row has the numbers of the field as strings (Decimal, BigInt). */
  readonly isNumberText: boolean
}

/** Returns the fields of a type in `schema.json`, so that `svc compile` can check conditions on it. */
export function shapeOfAuthored({ name, fields }: AuthoredType): EntityShape {
  return shapeOf(
    name,
    fields.map((field) => ({ ...field, base: field.type.replace(/[[\]!]/g, '') })),
  )
}

/** Returns the fields of a type of the loaded schema, so that conditions on its changes can be evaluated. */
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

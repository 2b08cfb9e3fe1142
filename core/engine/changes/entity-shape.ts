import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import type { AuthoredType } from '../../schema/authored.ts'
import type { ObjectType } from '../../schema/model.ts'

/** The declared fields of a watched type. Events contain no other columns of its rows. */
export interface EntityShape {
  readonly name: string
  readonly fields: readonly EntityField[]
  /** By every spelling. */
  readonly find: (name: string) => EntityField | undefined
}

export interface EntityField {
  /** As declared. */
  readonly name: string
  /** Keys that a row may have it under. */
  readonly keys: readonly string[]
  /** Its values are numbers that travel as texts: Decimal, BigInt. */
  readonly isNumberText: boolean
}

/** Of a type that is compiled: names are checked with it. */
export function shapeOfAuthored({ name, fields }: AuthoredType): EntityShape {
  return shapeOf(
    name,
    fields.map((field) => ({ ...field, base: field.type.replace(/[[\]!]/g, '') })),
  )
}

/** Of a type that is served. */
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

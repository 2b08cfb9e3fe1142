import type { FieldSelection, ObjectSelection, Selection } from '../front/operation.ts'
import type { TypeRef } from '../schema/type-ref.ts'
import { allOf, FALSE, join, literal, type SqlFragment, sql } from './sql.ts'
import { documentKeys, needsSource } from './write-project.ts'

type SelectedField = Extract<FieldSelection, { kind: 'field' }>

/** What of a selection a document does not hold. */
export interface Lacks {
  /** Is something selected that no document holds: rows of other sources? */
  readonly always: boolean
  /** `boolean`, never NULL: does the document lack anything else? `null` = never. */
  readonly any: SqlFragment | null
}

/** What no source has cannot be read from there either: it is not lacking, it is null. */
export function lacksOf(selection: ObjectSelection, document: SqlFragment): Lacks {
  const fields = selection.fields.filter((field) => field.kind === 'field' && field.field.read !== null)
  const stored = (fields as SelectedField[]).filter((field) => !needsSource(field))
  const all = allOf(stored.map((field) => holdsField(field, document)))
  return { always: stored.length < fields.length, any: all === null ? null : sql`NOT (${all})` }
}

/** `boolean`, never NULL: has the document the field, and in it all that is selected of it? */
function holdsField(field: SelectedField, document: SqlFragment): SqlFragment {
  const names = documentKeys(field.field)
  const [only, ...more] = names.map((key) => literal(key))
  const present =
    more.length === 0 ? sql`${document} ? ${only!}` : sql`${document} ?| ARRAY[${join([only!, ...more], ', ')}]`
  const values = names.map((key) => sql`${document} -> ${literal(key)}`)
  const value = values.length === 1 ? sql`(${values[0]!})` : sql`coalesce(${join(values, ', ')})`
  const inner = holdsValue(field.field.type, field.selection, value)
  return inner === null ? sql`(${present})` : sql`(${present} AND ${inner})`
}

/** `null` = nothing to look for below. */
function holdsValue(type: TypeRef, selection: Selection, value: SqlFragment): SqlFragment | null {
  if (selection === null || selection.kind !== 'object') return null
  const item = sql`svc_held.value`
  if (type.kind === 'list') {
    const inner = holdsValue(type.of, selection, item)
    if (inner === null) return null
    const list = sql`CASE WHEN jsonb_typeof(${value}) = 'array' THEN ${value} ELSE '[]' END`
    return sql`NOT EXISTS (SELECT FROM jsonb_array_elements(${list}) AS svc_held(value) WHERE NOT ${inner})`
  }
  const fields = selection.fields.filter((field): field is SelectedField => field.kind === 'field')
  const all = allOf(fields.map((field) => holdsField(field, value)))
  return all === null ? null : sql`CASE WHEN jsonb_typeof(${value}) = 'object' THEN ${all} ELSE TRUE END`
}

/** For a document whose type is told at run time: the case of that type. */
export function lacksOfOneOf(typeName: SqlFragment, members: readonly (readonly [string, Lacks])[]): Lacks {
  let any = sql``
  for (const [name, lacks] of members) any = sql`${any} WHEN ${literal(name)} THEN ${lacks.any ?? FALSE}`
  return {
    always: members.some(([, lacks]) => lacks.always),
    any: members.some(([, lacks]) => lacks.any !== null) ? sql`CASE ${typeName}${any} ELSE FALSE END` : null,
  }
}

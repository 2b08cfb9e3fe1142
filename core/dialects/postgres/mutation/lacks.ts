import type { FieldSelection, ObjectSelection, Selection } from '../../../contract/operation.ts'
import { documentKeys } from '../../../engine/plan/rows/document-keys.ts'
import { allOf, FALSE, join, escapedLiteral as literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'
import { needsSource } from '../../needs-source.ts'

type SelectedField = Extract<FieldSelection, { kind: 'field' }>

/**
 * SQL that tests whether the JSON object, which the function of a mutation returned, lacks a field that the client
 * selected. If so, the engine reads the entity from its view or table.
 */
export interface Lacks {
  /**
   * `true` if the selection contains aggregates or rows of other views and tables, which a function's result never
   * contains.
   */
  readonly always: boolean
  /**
   * Boolean SQL, never NULL: `true` if the object lacks a selected field other than those of {@link always}. `null`: no
   * field needs a test.
   */
  readonly any: SqlFragment | null
}

/**
 * Writes the test of a function's JSON result for missing selected fields. Fields that the view or table does not store
 * count as present, with the value null.
 * @param document SQL of the JSON object, of type `jsonb`
 */
export function lacksOf(selection: ObjectSelection, document: SqlFragment): Lacks {
  const fields = selection.fields.filter((field) => field.kind === 'field' && field.field.read !== null)
  const stored = (fields as SelectedField[]).filter((field) => !needsSource(field))
  const counts = selection.fields.some((field) => field.kind === 'aggregate')
  const all = allOf(holdFields(stored, document))
  return { always: counts || stored.length < fields.length, any: all === null ? null : sql`NOT (${all})` }
}

/** Writes conditions, never NULL: the document has the fields, with all their selected subfields. */
function holdFields(fields: readonly SelectedField[], document: SqlFragment): readonly SqlFragment[] {
  const plain: SqlFragment[] = []
  const conditions: SqlFragment[] = []
  for (const { field, selection } of fields) {
    const keys = documentKeys(field).map(literal)
    const [only, ...more] = keys
    if (more.length === 0) plain.push(only!)
    else conditions.push(sql`${document} ?| ARRAY[${join(keys, ', ')}]`)
    const values = keys.map((key) => sql`${document} -> ${key}`)
    const value = values.length === 1 ? sql`(${values[0]!})` : sql`coalesce(${join(values, ', ')})`
    const inner = holdsValue(field.type, selection, value)
    if (inner !== null) conditions.push(inner)
  }
  if (plain.length > 0) conditions.unshift(sql`${document} ?& ARRAY[${join(plain, ', ')}]`)
  return conditions
}

/** Tests a value for its selected subfields. `null` = there are none to test. */
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
  const all = allOf(holdFields(fields, value))
  return all === null ? null : sql`CASE WHEN jsonb_typeof(${value}) = 'object' THEN ${all} ELSE TRUE END`
}

/**
 * Combines the tests of {@link lacksOf} for the possible types of a union or interface, with a CASE on the type name of
 * the row.
 * @param typeName SQL of the type name
 * @param members name of each possible type, with its test
 */
export function lacksOfOneOf(typeName: SqlFragment, members: readonly (readonly [string, Lacks])[]): Lacks {
  let any = sql``
  for (const [name, lacks] of members) any = sql`${any} WHEN ${literal(name)} THEN ${lacks.any ?? FALSE}`
  return {
    always: members.some(([, lacks]) => lacks.always),
    any: members.some(([, lacks]) => lacks.any !== null) ? sql`CASE ${typeName}${any} ELSE FALSE END` : null,
  }
}

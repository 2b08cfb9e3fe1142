import type { ObjectSelection, Selection } from '../../../contract/operation.ts'
import { UNKNOWN_TYPE } from '../../../engine/json/unknown-type.ts'
import { documentKeys } from '../../../engine/plan/rows/document-keys.ts'
import {
  identifier,
  join,
  escapedLiteral as literal,
  NULL,
  type SqlFragment,
  sql,
} from '../../../engine/sql/fragment.ts'
import type { FieldModel, ObjectType } from '../../../schema/model.ts'
import { needsSource } from '../../needs-source.ts'
import type { DocumentValue } from '../../sql-value.ts'
import { wireExpression } from '../primitives/leaf.ts'

/**
 * Returns SQL of type `jsonb` for a field whose keys are absent from the JSON object that a function returned, for
 * example `status` of a payload; `null`: the field has no other value.
 */
export type Fallbacks = (field: FieldModel, type: ObjectType) => SqlFragment | null

const NO_FALLBACKS: Fallbacks = () => null
const NULL_TEXT: SqlFragment = literal('null')
/** Column of {@link items}. */
const ITEM: SqlFragment = sql`svc_item.value`

/**
 * Writes SQL that builds the JSON text of a response object: the selected fields of a stored JSON object, in the order
 * of the selection.
 * @param document SQL of the JSON object, of type `jsonb`
 */
export function projectObject(
  selection: ObjectSelection,
  document: SqlFragment,
  fallbacks: Fallbacks = NO_FALLBACKS,
): SqlFragment {
  const parts: SqlFragment[] = []
  for (const field of selection.fields) {
    const key = `${parts.length === 0 ? '{' : ','}${JSON.stringify(field.responseKey)}:`
    if (field.kind === 'typename') parts.push(literal(`${key}${JSON.stringify(selection.type.name)}`))
    else if (field.kind !== 'field') parts.push(literal(`${key}null`))
    else {
      const value = valueIn(field.field, document, fallbacks(field.field, selection.type))
      parts.push(literal(key), needsSource(field) ? NULL_TEXT : projectField(field.field, field.selection, value))
    }
  }
  if (parts.length === 0) parts.push(literal('{'))
  parts.push(literal('}'))
  return sql`(${join(parts, ' || ')})`
}

/** PostgreSQL's limits: bytes of a column name, and number of columns. */
const LONGEST_COLUMN = 63
const MOST_COLUMNS = 1600

/**
 * Writes the select list of a subquery whose row `row_to_json` converts to the response object. Its columns are named
 * like the response keys. This takes the database half the time of {@link projectObject}.
 * @returns `null`: the object has no fields, too many, or a key longer than a column name
 */
export function projectColumns(
  selection: ObjectSelection,
  document: SqlFragment,
  fallbacks: Fallbacks,
): SqlFragment | null {
  const { fields, type } = selection
  if (fields.length === 0 || fields.length > MOST_COLUMNS) return null
  if (fields.some(({ responseKey }) => Buffer.byteLength(responseKey) > LONGEST_COLUMN)) return null
  const columns = fields.map((field) => {
    const name = identifier(field.responseKey)
    if (field.kind === 'typename') return sql`${literal(type.name)}::text AS ${name}`
    if (field.kind !== 'field' || needsSource(field)) return sql`${NULL}::text AS ${name}`
    const value = valueIn(field.field, document, fallbacks(field.field, type))
    if (field.selection === null) return sql`${wireExpression(field.field, value)} AS ${name}`
    return sql`(${projectValue(field.field, field.selection, value.json)})::json AS ${name}`
  })
  return join(columns, ', ')
}

/**
 * The properties of a field, or of a mutation whose result is a plain value, that determine the JSON form of the value.
 */
export type ValueType = Pick<FieldModel, 'name' | 'type' | 'named'> & Partial<Pick<FieldModel, 'place'>>

/**
 * Writes SQL that converts a `jsonb` value to the JSON text of the response: a scalar, an object with its selected
 * fields, or a list of them.
 * @param of the field or mutation that the value belongs to
 */
export function projectValue(of: ValueType, selection: Selection, value: SqlFragment): SqlFragment {
  if (selection === null) {
    return projectField(of, null, { from: 'document', json: value, text: sql`(${value} #>> '{}')`, jsonb: true })
  }
  if (of.type.kind === 'list') {
    const item = projectValue({ ...of, type: of.type.of }, selection, ITEM)
    return sql`CASE WHEN jsonb_typeof(${value}) = 'array' THEN
      (SELECT coalesce('[' || string_agg(${item}, ',' ORDER BY svc_item.n) || ']', '[]') FROM ${items(value)}) ELSE ${asItIs(value)} END`
  }
  return sql`CASE WHEN jsonb_typeof(${value}) = 'object' THEN ${projectComposite(selection, value)} ELSE ${asItIs(value)} END`
}

/** Returns a value that is neither a list nor an object unchanged, so that the completion of the answer rejects it. */
function asItIs(value: SqlFragment): SqlFragment {
  return sql`coalesce(${value}::text, ${NULL_TEXT})`
}

function projectField(of: ValueType, selection: Selection, value: DocumentValue): SqlFragment {
  if (selection !== null) return projectValue(of, selection, value.json)
  return sql`coalesce(to_json(${wireExpression(of, value)})::text, ${NULL_TEXT})`
}

/** Expands a JSON array to rows: `jsonb_array_elements(value)` as `svc_item(value, n)`, where `n` is the position. */
function items(value: SqlFragment): SqlFragment {
  return sql`jsonb_array_elements(${value}) WITH ORDINALITY AS svc_item(value, n)`
}

/** Writes an object whose type is known, or is named by its `__typename`. */
function projectComposite(selection: Exclude<Selection, null>, document: SqlFragment): SqlFragment {
  if (selection.kind === 'object') return projectObject(selection, document)
  if (selection.kind !== 'abstract' || selection.possible.size === 0) return NULL_TEXT
  let cases = sql``
  for (const [name, member] of selection.possible) {
    cases = sql`${cases} WHEN ${literal(name)} THEN ${member.denied === undefined ? projectObject(member, document) : NULL_TEXT}`
  }
  const name = sql`${document} ->> '__typename'`
  return sql`CASE ${name}${cases} ELSE to_json(${literal(UNKNOWN_TYPE)} || coalesce(${name}, ''))::text END`
}

function valueIn(field: FieldModel, document: SqlFragment, fallback: SqlFragment | null): DocumentValue {
  const keys = documentKeys(field).map(literal)
  const values = keys.map((key) => sql`${document} -> ${key}`)
  const texts = keys.map((key) => sql`${document} ->> ${key}`)
  if (fallback !== null) {
    values.push(fallback)
    texts.push(sql`${fallback} #>> '{}'`)
  }
  return { from: 'document', json: firstOf(values), text: firstOf(texts), jsonb: true }
}

function firstOf(values: readonly SqlFragment[]): SqlFragment {
  return values.length === 1 ? sql`(${values[0]!})` : sql`coalesce(${join(values, ', ')})`
}

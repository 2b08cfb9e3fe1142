import { NULL_ITEMS, nullSigns, wireExpression } from '../dialects/postgres/leaf.ts'
import { NO_NUMBERS, proofOf } from '../dialects/postgres/leaf-proof.ts'
import type { AbstractSelection, FieldSelection, ObjectSelection, Selection } from '../front/operation.ts'
import { EMPTY, identifier, join, literal, NULL, type SqlFragment, sql } from '../sql/fragment.ts'
import { embeddedValue } from './embedded.ts'
import { below, type PlanContext } from './plan-context.ts'
import { relationValue } from './relation.ts'
import { columnOrKey, fieldValue, type Row } from './row.ts'

/** What a `SELECT` gives for one object, and how the level above takes it. */
export interface Projection {
  /** Select list. */
  readonly columns: SqlFragment
  /** The object, over {@link subquery}. */
  readonly value: SqlFragment
}

/**
 * Alias of the subquery whose row is the object. No response key can be called so: a name stands for a column before it
 * stands for a row.
 */
const ROW = sql`r$`

/** PostgreSQL cuts longer names. */
const LONGEST_ALIAS = 63
/** PostgreSQL's bound for the columns of a row. */
const MOST_COLUMNS = 1600

/**
 * An object as a record whose column names are the response keys: the database turns the whole tree into JSON once, at
 * the top (performance.md "SQL shape").
 */
export function project(
  context: PlanContext,
  selection: ObjectSelection | AbstractSelection,
  row: Row,
  typeColumn: string,
): Projection {
  if (selection.kind === 'abstract') {
    return { columns: sql`${abstractValue(context, selection, row, typeColumn)} AS json`, value: JSON_OF_ROW }
  }
  const entries = selection.fields.map((field) => ({
    key: field.responseKey,
    value: fieldExpression(context, selection, field, row),
  }))
  return projectEntries(entries)
}

interface Entry {
  readonly key: string
  readonly value: SqlFragment
}

/** The same for values that were put together elsewhere. */
export function projectEntries(entries: readonly Entry[]): Projection {
  const fits = entries.every((entry) => Buffer.byteLength(entry.key) <= LONGEST_ALIAS)
  if (fits && entries.length > 0 && entries.length <= MOST_COLUMNS) {
    const columns = entries.map(({ key, value }) => sql`${value} AS ${identifier(key)}`)
    return { columns: join(columns, ', '), value: ROW }
  }
  return { columns: sql`${concatenated(entries)} AS json`, value: JSON_OF_ROW }
}

/** The object as text, for what a record cannot hold: no fields, too many, or names that are too long. */
function concatenated(entries: readonly Entry[]): SqlFragment {
  if (entries.length === 0) return sql`'{}'::json`
  const members = entries.map(
    ({ key, value }) => sql`${literal(`${JSON.stringify(key)}:`)} || coalesce(to_json(${value})::text, 'null')`,
  )
  return sql`('{' || array_to_string(ARRAY[${join(members, ', ')}], ',') || '}')::json`
}

const JSON_OF_ROW = sql`r$.json`

/** `(SELECT … FROM …) r$`. @param rest what follows the select list, with a leading space */
export function subquery(projection: Projection, rest: SqlFragment): SqlFragment {
  return sql`(SELECT ${projection.columns}${rest}) ${ROW}`
}

/** One object in a place of its own. */
export function objectValue(projection: Projection, rest: SqlFragment): SqlFragment {
  return sql`(SELECT ${projection.value} FROM ${subquery(projection, rest)})`
}

function fieldExpression(
  context: PlanContext,
  selection: ObjectSelection,
  field: FieldSelection,
  row: Row,
): SqlFragment {
  if (field.kind === 'typename') return sql`${literal(selection.type.name)}::text`
  const model = field.field
  const at = below(context, field.responseKey)
  const { named } = model
  if (model.read?.from === 'relation') {
    // A relation gives a list or one object; the items of the list are rows, which are never null.
    if (!model.type.nullable && !model.list) context.nulls.add(`"${field.responseKey}":null`)
    return relationValue(at, field, model.read, row)
  }
  const value = fieldValue(row, model)
  for (const sign of nullSigns(field.responseKey, model.type, value)) context.nulls.add(sign)
  const proof = proofOf(model, value)
  if (proof === 'none') context.unproven.any = true
  else if (proof === 'finite') for (const sign of NO_NUMBERS) context.nulls.add(sign)
  if (value === null) return NULL_TEXT
  if (named.kind === 'scalar' || named.kind === 'enum') return wireExpression(model, value)
  return embeddedValue(at, model, requireSelection(field.selection), value)
}

const NULL_TEXT = sql`${NULL}::text`

export function requireSelection(selection: Selection): ObjectSelection | AbstractSelection {
  if (selection?.kind === 'object' || selection?.kind === 'abstract') return selection
  throw new Error('An object needs a selection')
}

/**
 * A row of an interface or union: the type column names the concrete type, and each has JSON of its own. A name that is
 * no member gives null.
 */
function abstractValue(context: PlanContext, selection: AbstractSelection, row: Row, typeColumn: string): SqlFragment {
  const name = columnOrKey(row, typeColumn, 'text')
  for (const sign of NULL_ITEMS) context.nulls.add(sign)
  let cases = sql`CASE ${name.from === 'column' ? sql`${name.sql}::text` : name.text}`
  for (const [typeName, possible] of selection.possible) {
    const projection = project(context, possible, row, typeColumn)
    const json = sql`(SELECT to_json(${projection.value}) FROM ${subquery(projection, EMPTY)})`
    cases = sql`${cases} WHEN ${literal(typeName)} THEN ${json}`
  }
  return sql`${cases} END`
}

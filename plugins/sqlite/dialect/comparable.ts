import type { Comparable, Operand, SqlFragment, SqlValue, Target } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { UNKNOWN_TYPE } from './declared-type.ts'
import { bytesText, exactText, jsonScalarText, operandForm, shownForm } from './forms.ts'
import { type Kind, kindOf } from './kind.ts'

/** Column types whose stored values are compared directly, so that an index on the column can be used. */
const AS_STORED: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  integer: ['int8'],
  real: ['float8', 'int8'],
  boolean: ['bool', 'int8'],
  text: ['text'],
  uuid: ['uuid', 'text'],
}

/**
 * Writes the left side of a comparison in SQLite, and chooses how its operand is written, so that values compare by
 * their GraphQL type.
 */
export function comparable(target: Omit<Target, 'value'>, value: SqlValue): Comparable {
  const kind = kindOf(target.named, target.type ?? (value.from === 'column' ? value.type : null))
  if (target.list) return listComparable(kind, value, isInt(target))
  const plain = value.from === 'column' ? value.sql : value.text
  const text = value.from === 'column' ? columnText(value.sql, value.type) : sql`CAST(${plain} AS TEXT)`
  const comparable = {
    value: comparedValue(kind, value, isInt(target)),
    text,
    operand: operandOf(kind),
    list: listOf(kind),
  }
  return sortsAsStored(kind, value) ? { ...comparable, sort: value.sql } : comparable
}

/** Do stored values sort in the order of their kind? A column of unknown type may hold numbers, which sort differently from texts. */
function sortsAsStored(kind: Kind, value: SqlValue): value is Extract<SqlValue, { from: 'column' }> {
  return kind === 'text' && value.from === 'column' && (value.type === null || value.type === UNKNOWN_TYPE)
}

function isInt({ named }: Omit<Target, 'value'>): boolean {
  return named?.kind === 'scalar' && named.base === 'Int'
}

/** Writes the compared form of a value, also of a column that {@link comparable} compares as it is stored, so that an index is used. */
export function comparedByType(target: Omit<Target, 'value'>, value: SqlValue): SqlFragment {
  const kind = kindOf(target.named, target.type ?? (value.from === 'column' ? value.type : null))
  const isNumber = kind === 'integer' || kind === 'real'
  return value.from === 'column' && isNumber
    ? comparedColumn(kind, value.sql, isInt(target))
    : comparable(target, value).value
}

function comparedColumn(kind: Kind, column: SqlFragment, isShort: boolean): SqlFragment {
  return shownForm(kind, { type: sql`typeof(${column})`, value: column, digits: exactText(column) }, isShort)
}

function comparedValue(kind: Kind, value: SqlValue, isShort: boolean): SqlFragment {
  if (kind === 'json') return jsonOf(value).json
  if (value.from === 'column') {
    if (value.type !== null && AS_STORED[kind]?.includes(value.type)) return value.sql
    if (kind === 'boolean' || kind === 'uuid') return value.sql
    if (kind === 'text') return columnText(value.sql, value.type)
    return comparedColumn(kind, value.sql, isShort)
  }
  const { json, text } = value
  if (kind === 'text') return sql`CAST(${text} AS TEXT)`
  return shownForm(kind, { type: sql`json_type(${json})`, value: text, digits: jsonScalarText(json, text) }, isShort)
}

function columnText(value: SqlFragment, type: string | null): SqlFragment {
  if (type === 'text') return value
  return type === 'bytea' ? bytesText(value) : sql`CAST(${value} AS TEXT)`
}

/** A UUID may be stored in upper or lower case. Both are looked up, so that an index can be used. */
function operandOf(kind: Kind): Comparable['operand'] {
  if (kind !== 'uuid') return (slot) => operandForm(kind, slot)
  return (slot) => sql`svc_uuid_text(${slot}), upper(svc_uuid_text(${slot}))`
}

/** A list as a table of values `v` and positions `n`. */
function listOf(kind: Kind): Comparable['list'] {
  return (slot) => {
    const form = operandForm(kind, sql`e$.value`)
    const rows = sql`SELECT ${form} AS v, e$.key AS n FROM json_each(${slot}) e$`
    if (kind !== 'uuid') return sql`(${rows})`
    return sql`(${rows} UNION ALL SELECT upper(${form}), e$.key FROM json_each(${slot}) e$)`
  }
}

/** A list of scalars or enums, as JSON of the compared forms of its elements. */
function listComparable(kind: Kind, value: SqlValue, isShort: boolean): Comparable {
  const { json } = jsonOf(value)
  if (kind === 'json') return listOfJson(json)
  const digits = itemText(json)
  const own = kind === 'text' ? digits : shownForm(kind, { type: sql`e$.type`, value: sql`e$.value`, digits }, isShort)
  const list = (slot: SqlFragment): SqlFragment =>
    sql`(SELECT json_group_array(${operandForm(kind, sql`e$.value`)}) FROM json_each(${slot}) e$)`
  return {
    value: sql`CASE WHEN json_type(${json}) = 'array' THEN (SELECT json_group_array(${own}) FROM json_each(${json}) e$) END`,
    text: json,
    operand: list,
    list,
  }
}

/** Compares items by a canonical text of their value. */
function listOfJson(json: SqlFragment): Comparable {
  const list = (slot: SqlFragment): SqlFragment =>
    sql`(SELECT json_group_array(svc_json_key(e$.value)) FROM json_each(${slot}) e$)`
  return {
    value: sql`CASE WHEN json_type(${json}) = 'array' THEN (SELECT json_group_array(svc_json_key(${json} -> e$.fullkey)) FROM json_each(${json}) e$) END`,
    text: json,
    operand: list,
    list,
  }
}

/** Writes the text of the item `e$` of a JSON list in SQLite. Numbers keep all of their digits. @param json the list */
export function itemText(json: SqlFragment): SqlFragment {
  return sql`CASE typeof(e$.value) WHEN 'real' THEN '' || (${json} -> e$.fullkey) ELSE CAST(e$.value AS TEXT) END`
}

/** Writes a value as JSON in SQLite: a JSON column, or a member of a JSON document. */
export function jsonOf(value: SqlValue): { readonly json: SqlFragment; readonly jsonb: boolean } {
  return { json: value.from === 'document' ? value.json : value.sql, jsonb: false }
}

/**
 * Writes a parameter in SQLite for an operand that has another type than the column.
 * @param slot placeholder of the parameter
 */
export function typedOperand(
  kind: Exclude<Operand['kind'], 'boolean' | 'field' | 'list'>,
  slot: SqlFragment,
): SqlFragment {
  return kind === 'int' ? sql`CAST(${slot} AS INTEGER)` : slot
}

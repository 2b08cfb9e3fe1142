import {
  concatenated,
  EMPTY,
  integer,
  join,
  literal,
  objectTextParts,
  type Projection,
  type SqlFragment,
  type SqlMember,
  type TextMember,
} from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'

/** Limit on the members per call: in its default build, SQLite accepts at most 127 arguments. */
const MOST_MEMBERS = 60

/** Limit on chained calls: SQLite limits the depth of an expression to 1,000, including its context. */
const LONGEST_CHAIN = 50

/** Writes a JSON object in SQLite as text in a single column, which the enclosing expression parses with `json(…)`. */
export function object(members: readonly SqlMember[]): Projection {
  if (members.length <= MOST_MEMBERS) return json(sql`json_object(${join(members.map(memberOf), ', ')})`)
  return json(objectText(members.map((member) => ({ key: member.key, value: sql`json_quote(${valueText(member)})` }))))
}

/** Makes a SQLite row with one column, which contains a JSON value. */
export function json(value: SqlFragment): Projection {
  return { columns: sql`${value} AS json`, value: sql`r$.json` }
}

function memberOf(member: SqlMember): SqlFragment {
  return sql`${literal(member.key)}, ${valueText(member)}`
}

function valueText({ value, nested }: SqlMember): SqlFragment {
  return nested ? sql`json(${value})` : value
}

/**
 * Writes a SQLite subquery that aggregates the values of rows to a JSON list, in the order of the rows.
 * @param value value of each row, as JSON text
 * @param from FROM clause with the rows
 * @param guard HAVING clause that limits the number of rows; `null`: no limit
 */
export function list(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment {
  return sql`(SELECT json_group_array(json(${value}))${from}${guard ?? EMPTY})`
}

/** Writes a JSON object in SQLite by concatenating strings, for more members than `json_object` accepts. */
export function objectText(members: readonly TextMember[]): SqlFragment {
  return concatenated(objectTextParts(members, literal), LONGEST_CHAIN)
}

/**
 * Writes the access to a member of a JSON object in SQLite, as JSON and as text.
 * @throws Error for a name that a JSON path of SQLite cannot contain
 */
export function key(document: SqlFragment, name: string): { readonly json: SqlFragment; readonly text: SqlFragment } {
  if (/["\\]/.test(name)) throw new Error(`SQLite cannot read the key ${JSON.stringify(name)} of a document`)
  const path = literal(`$."${name}"`)
  return { json: sql`(${document} -> ${path})`, text: sql`(${document} ->> ${path})` }
}

export function isJson(value: SqlFragment, kind: 'object' | 'array'): SqlFragment {
  return sql`json_type(${value}) = ${literal(kind)}`
}

/** Writes a SQLite expression for the JSON of an item of `json_each`. @param alias alias of `json_each` */
export function item(alias: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${alias}.type IN ('object', 'array') THEN ${alias}.value ELSE json_quote(${alias}.value) END`
}

/**
 * Writes a SQLite expression that converts a value if it is a JSON object or list. Any other value stays unchanged, so
 * that a later check rejects it.
 * @param made the converted value
 */
export function orAsItIs(value: SqlFragment, kind: 'object' | 'array', made: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${isJson(value, kind)} THEN ${made} ELSE ${value} END`
}

/** Writes a FROM item in SQLite with one row per item of a JSON list; no rows if the value is not a list. */
export function itemRows(value: SqlFragment, alias: SqlFragment): SqlFragment {
  return sql`json_each(CASE WHEN ${isJson(value, 'array')} THEN ${value} END) ${alias}`
}

/**
 * Writes a SQLite expression that converts each item of a JSON list, in their order. A value that is not a list stays
 * unchanged.
 * @param alias alias of the current item
 * @param element the converted item as JSON
 * @param guard maximum number of items, and the HAVING clause that reports more; `null`: no limit
 */
export function listOfItems(
  value: SqlFragment,
  alias: SqlFragment,
  element: SqlFragment,
  guard: { readonly most: number; readonly having: SqlFragment } | null,
): SqlFragment {
  const most = guard === null ? EMPTY : sql` LIMIT ${integer(guard.most + 1)}`
  const rows = sql`SELECT ${element} AS v FROM ${itemRows(value, alias)} ORDER BY ${alias}.key${most}`
  const items = sql`(SELECT json_group_array(json(l$.v)) FROM (${rows}) l$${guard?.having ?? EMPTY})`
  return orAsItIs(value, 'array', items)
}

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

/** Writes an object as JSON text in one column, which each enclosing level parses with `json(…)`. */
export function object(members: readonly SqlMember[]): Projection {
  if (members.length <= MOST_MEMBERS) return json(sql`json_object(${join(members.map(memberOf), ', ')})`)
  return json(objectText(members.map((member) => ({ key: member.key, value: sql`json_quote(${valueText(member)})` }))))
}

/** Makes a row that consists of one JSON value. */
export function json(value: SqlFragment): Projection {
  return { columns: sql`${value} AS json`, value: sql`r$.json` }
}

function memberOf(member: SqlMember): SqlFragment {
  return sql`${literal(member.key)}, ${valueText(member)}`
}

function valueText({ value, nested }: SqlMember): SqlFragment {
  return nested ? sql`json(${value})` : value
}

/** Aggregates the values of rows to the JSON text of a list, in the order of the rows. */
export function list(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment {
  return sql`(SELECT json_group_array(json(${value}))${from}${guard ?? EMPTY})`
}

/** Writes an object by string concatenation. */
export function objectText(members: readonly TextMember[]): SqlFragment {
  return concatenated(objectTextParts(members, literal), LONGEST_CHAIN)
}

/** Reads a key of a JSON object. @throws Error for a name that cannot be written in a JSON path of SQLite */
export function key(document: SqlFragment, name: string): { readonly json: SqlFragment; readonly text: SqlFragment } {
  if (/["\\]/.test(name)) throw new Error(`SQLite cannot read the key ${JSON.stringify(name)} of a document`)
  const path = literal(`$."${name}"`)
  return { json: sql`(${document} -> ${path})`, text: sql`(${document} ->> ${path})` }
}

export function isJson(value: SqlFragment, kind: 'object' | 'array'): SqlFragment {
  return sql`json_type(${value}) = ${literal(kind)}`
}

/** Reads an item of a list as JSON. */
export function item(alias: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${alias}.type IN ('object', 'array') THEN ${alias}.value ELSE json_quote(${alias}.value) END`
}

/**
 * Applies a conversion to a JSON list or object. Any other value stays unchanged, so that the check of the response
 * rejects it.
 */
export function orAsItIs(value: SqlFragment, kind: 'object' | 'array', made: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${isJson(value, kind)} THEN ${made} ELSE ${value} END`
}

/** Rows with the items of a list; none if the value is no list. */
export function itemRows(value: SqlFragment, alias: SqlFragment): SqlFragment {
  return sql`json_each(CASE WHEN ${isJson(value, 'array')} THEN ${value} END) ${alias}`
}

/**
 * Maps the items of a JSON list, in their order, and returns a JSON list. Any other value stays unchanged.
 * @param element JSON of the mapped item
 * @param guard limit of the list; `null`: none
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

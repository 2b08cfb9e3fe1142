import {
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
import type { Flavour } from './flavour.ts'

/** Writes a row with one JSON value. It is flat: MariaDB does not keep the order of the rows of a subquery in FROM. */
export function projection(value: SqlFragment): Projection {
  return { columns: sql`${value} AS json`, value: sql`r$.json`, flat: value }
}

/** Writes the JSON text of an object. Its members are JSON texts, besides names of types and cursors. */
export function object(members: readonly SqlMember[]): SqlFragment {
  return objectText(
    members.map(({ key, value, plain }) => ({
      key,
      value: orNull(plain === true ? sql`JSON_QUOTE(${value})` : value),
    })),
  )
}

/** Writes the JSON text of an object by concatenating the JSON texts of its members. */
export function objectText(members: readonly TextMember[]): SqlFragment {
  return sql`CONCAT(${join(objectTextParts(members, literal), ', ')})`
}

/** Writes `null` in place of NULL, because concatenating NULL gives NULL. */
export function orNull(json: SqlFragment): SqlFragment {
  return sql`COALESCE(${json}, 'null')`
}

/** Writes the JSON text of a list from the texts of its rows. @param order ` ORDER BY …` or empty */
export function listOf(value: SqlFragment, order: SqlFragment): SqlFragment {
  return sql`CONCAT('[', COALESCE(GROUP_CONCAT(${value}${order} SEPARATOR ','), ''), ']')`
}

/**
 * Writes the access to a member of a JSON object, as JSON and as text.
 * @throws Error for a name that a JSON path cannot contain
 */
export function key(
  { jsonText }: Flavour,
  document: SqlFragment,
  name: string,
): { readonly json: SqlFragment; readonly text: SqlFragment } {
  if (/["\\]/.test(name)) throw new Error(`MariaDB cannot read the key ${JSON.stringify(name)} of a document`)
  const json = sql`JSON_EXTRACT(${document}, ${literal(`$."${name}"`)})`
  return { json: jsonText(json), text: scalarText(json) }
}

/** Writes a JSON scalar as text; NULL for JSON null. */
export function scalarText(json: SqlFragment): SqlFragment {
  return sql`CASE WHEN JSON_TYPE(${json}) <> 'NULL' THEN JSON_UNQUOTE(${json}) END`
}

export function isJson(value: SqlFragment, kind: 'object' | 'array'): SqlFragment {
  return sql`JSON_TYPE(${value}) = ${literal(kind.toUpperCase())}`
}

/**
 * Writes a FROM item with one row per item of a JSON list: `n` is its number, `v` its text, `j` its JSON. No rows if the
 * value is not a list.
 */
export function itemRows(value: SqlFragment, alias: SqlFragment): SqlFragment {
  return tableOf(sql`CASE WHEN ${isJson(value, 'array')} THEN ${value} END`, alias)
}

/** Type of texts in JSON_TABLE. The character set of the database may lack characters of the text. */
export const LONGTEXT = sql`LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`

/** Like {@link itemRows}, for a value that is a list. */
export function tableOf(list: SqlFragment, alias: SqlFragment): SqlFragment {
  return sql`JSON_TABLE(${list}, '$[*]' COLUMNS (n FOR ORDINALITY, v ${LONGTEXT} PATH '$', j JSON PATH '$')) ${alias}`
}

/**
 * Writes SQL that converts a value if it is a JSON object or list. Any other value stays unchanged, so that a later
 * check rejects it.
 */
export function orAsItIs(value: SqlFragment, kind: 'object' | 'array', made: SqlFragment): SqlFragment {
  return sql`CASE WHEN ${isJson(value, kind)} THEN ${made} ELSE ${value} END`
}

/** Writes SQL that converts each item of a JSON list, in their order. A value that is not a list stays unchanged. */
export function listOfItems(
  value: SqlFragment,
  alias: SqlFragment,
  element: SqlFragment,
  having: SqlFragment,
): SqlFragment {
  const list = listOf(orNull(element), sql` ORDER BY ${alias}.n`)
  return orAsItIs(value, 'array', sql`(SELECT ${list} FROM ${itemRows(value, alias)}${having})`)
}

/**
 * Writes a condition that fails the statement on purpose if a list has too many rows: a number that is too large for a
 * DOUBLE. MariaDB and MySQL print the expression in the error, with the text in it. It is no subquery, because the server
 * needs twice the memory for each list with a further subquery behind its nested lists.
 */
export function failIfMore(mark: string, most: number): SqlFragment {
  const tooLarge = sql`EXP(COUNT(*) * 1000 + LENGTH(${literal(mark)}))`
  return sql` HAVING CASE WHEN COUNT(*) > ${integer(most)} THEN ${tooLarge} ELSE TRUE END`
}

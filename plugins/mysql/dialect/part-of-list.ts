import type { PartOfList, SqlFragment } from '../../../core/doors/driver.ts'
import { identifier, sql } from '../../../core/doors/plugin.ts'
import type { Flavour } from './flavour.ts'
import { yielding } from './forms.ts'
import { LONGTEXT, listOf, orNull } from './json.ts'

/** Column types of keys that JSON holds without loss, with the type in which JSON_TABLE reads them. */
const KEY_TYPES: Readonly<Record<string, SqlFragment>> = {
  int2: sql`BIGINT`,
  int4: sql`BIGINT`,
  int8: sql`BIGINT`,
  xid8: sql`BIGINT UNSIGNED`,
  text: LONGTEXT,
  uuid: LONGTEXT,
}

/**
 * Writes one page of the related rows of each parent. MariaDB has no LATERAL, and its subqueries in FROM cannot refer to
 * the parent, but the argument of JSON_TABLE can: it is the list of the keys in order, whose numbers select the page.
 * Only the rows of the page are read then. Without a key, it is the list of all objects.
 */
export function partOfList(
  { jsonText }: Flavour,
  list: PartOfList,
): {
  readonly value: SqlFragment
  readonly from: SqlFragment
  readonly order: SqlFragment
} {
  const order = sql` ORDER BY k$.n`
  const bounds = boundsOf(list)
  const [key, ...others] = list.row?.key ?? []
  const type = key === undefined || others.length > 0 || !key.unique ? undefined : KEY_TYPES[key.type]
  if (list.row === null || key === undefined || type === undefined) {
    const all = listOf(sql`JSON_QUOTE(${orNull(list.value)})`, list.order)
    return {
      value: jsonText(sql`k$.v`),
      from: sql` FROM ${numbered(sql`(SELECT ${all} FROM ${list.rows})`, LONGTEXT)}${bounds}`,
      order,
    }
  }
  const column = sql`${list.alias}.${identifier(key.name)}`
  const isText = key.type === 'text' || key.type === 'uuid'
  const item = isText ? sql`JSON_QUOTE(CONCAT(${column}))` : column
  const keys = sql`(SELECT ${listOf(item, list.order)} FROM ${list.rows})`
  const own = isText ? yielding(sql`k$.v`) : sql`k$.v`
  return {
    value: list.value,
    from: sql` FROM ${numbered(keys, type)} STRAIGHT_JOIN ${list.row.source} ON ${column} = ${own}${bounds}`,
    order,
  }
}

function numbered(list: SqlFragment, type: SqlFragment): SqlFragment {
  return sql`JSON_TABLE(${list}, '$[*]' COLUMNS (n FOR ORDINALITY, v ${type} PATH '$')) k$`
}

function boundsOf({ limit, offset }: PartOfList): SqlFragment {
  if (limit === null) return offset === null ? sql`` : sql` WHERE k$.n > ${offset}`
  return offset === null ? sql` WHERE k$.n <= ${limit}` : sql` WHERE k$.n > ${offset} AND k$.n <= ${offset} + ${limit}`
}

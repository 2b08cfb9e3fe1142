import type { SqlFragment } from '../../../core/doors/driver.ts'
import { literal } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { type Kind, kindOfType } from './kind.ts'

/**
 * Writes a text whose collation gives way to that of a column, as the collation of a parameter does. A column of
 * JSON_TABLE has a collation of its own, and comparing it with another column is error 1267.
 */
export function yielding(text: SqlFragment): SqlFragment {
  return sql`JSON_UNQUOTE(JSON_QUOTE(${text}))`
}

/** Writes a value of any type as text. */
export function textOf(value: SqlFragment): SqlFragment {
  return sql`CONCAT(${value})`
}

/** Writes a bytes column as text, in PostgreSQL's form `\x…`. */
export function bytesText(value: SqlFragment): SqlFragment {
  return sql`CONCAT('\\x', LOWER(HEX(${value})))`
}

/** Writes the bytes of a UUID (BINARY(16)) as text. */
export function uuidText(value: SqlFragment): SqlFragment {
  const part = (from: SqlFragment, length: SqlFragment): SqlFragment => sql`SUBSTR(HEX(${value}), ${from}, ${length})`
  return sql`LOWER(CONCAT_WS('-', ${part(sql`1`, sql`8`)}, ${part(sql`9`, sql`4`)}, ${part(sql`13`, sql`4`)}, ${part(sql`17`, sql`4`)}, ${part(sql`21`, sql`12`)}))`
}

const MOMENT_FORM = literal(
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?([Zz]|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?)?$',
)

/** Writes the point in time in UTC of a text with or without an offset; NULL if the text is no point in time. */
export function momentOf(text: SqlFragment): SqlFragment {
  const clock = sql`SUBSTR(${text}, 12)`
  const local = sql`CAST(CONCAT(LEFT(${text}, 10), ' ', CASE WHEN CHAR_LENGTH(${text}) > 10 THEN REGEXP_SUBSTR(${clock}, '^[0-9:.]+') ELSE '00:00' END) AS DATETIME(6))`
  const zone = sql`REPLACE(REGEXP_SUBSTR(${clock}, '[+-].*$'), ':', '')`
  const minutes = sql`CONCAT(LEFT(${zone}, 1), SUBSTR(${zone}, 2, 2) * 60 + CONCAT('0', SUBSTR(${zone}, 4, 2)))`
  return sql`CASE WHEN ${text} REGEXP ${MOMENT_FORM} THEN ${local} - INTERVAL (CASE WHEN ${clock} REGEXP '[+-]' THEN ${minutes} ELSE 0 END) MINUTE END`
}

/** Writes a text in a document in the form in which values of a kind are compared. */
export function comparedForm(kind: Kind, text: SqlFragment, exact: SqlFragment): SqlFragment {
  switch (kind) {
    case 'integer':
      return sql`CAST(${text} AS DECIMAL(65,0))`
    case 'real':
      return sql`CAST(${text} AS DOUBLE)`
    case 'decimal':
      return sql`CAST(${text} AS DECIMAL(65,30))`
    case 'boolean':
      return sql`(${text} IN ('true', '1'))`
    case 'datetime':
      return momentOf(text)
    case 'date':
      return sql`CAST(${momentOf(text)} AS DATE)`
    case 'time':
      return sql`CAST(${text} AS TIME(6))`
    case 'uuid':
      return sql`LOWER(${text}) COLLATE ${exact}`
    case 'text':
    case 'bytes':
      return sql`${text} COLLATE ${exact}`
    case 'json':
      return text
  }
}

/** Type of the server in which operands of a kind are compared; `null`: as text. */
export function comparedType(kind: Kind, type: string | null): SqlFragment | null {
  switch (kind) {
    case 'integer':
    case 'boolean':
      return sql`SIGNED`
    case 'real':
      return type === 'float4' ? sql`FLOAT` : sql`DOUBLE`
    case 'decimal':
      return sql`DECIMAL(65,30)`
    case 'datetime':
      return sql`DATETIME(6)`
    case 'date':
      return sql`DATE`
    case 'time':
      return sql`TIME(6)`
    default:
      return null
  }
}

/** Writes a cast to a type with a PostgreSQL name. Types without a counterpart become text. */
export function cast(value: SqlFragment, type: string): SqlFragment {
  if (type === 'text') return textOf(value)
  const kind = kindOfType(type)
  if (kind === 'boolean') return sql`(${value} IN ('true', 't', '1'))`
  const target = comparedType(kind, type)
  return target === null ? value : sql`CAST(${value} AS ${target})`
}

/** Writes the JSON text of a point in time, in UTC. */
export function momentJson(value: SqlFragment): SqlFragment {
  return sql`CONCAT('"', DATE_FORMAT(${value}, '%Y-%m-%dT%H:%i:%s'), ${fractionOf(value, sql`DATE_FORMAT(${value}, '.%f')`)}, '+00:00"')`
}

/** Writes the JSON text of a time of day. */
export function timeJson(value: SqlFragment): SqlFragment {
  return sql`CONCAT('"', TIME_FORMAT(${value}, '%H:%i:%s'), ${fractionOf(value, sql`TIME_FORMAT(${value}, '.%f')`)}, '"')`
}

/** Fractions of a second without zeros at the end. */
function fractionOf(value: SqlFragment, text: SqlFragment): SqlFragment {
  return sql`CASE MICROSECOND(${value}) WHEN 0 THEN '' ELSE TRIM(TRAILING '0' FROM ${text}) END`
}

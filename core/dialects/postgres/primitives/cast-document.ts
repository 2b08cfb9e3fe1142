import { escapedLiteral as literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { DocumentValue } from '../../sql-value.ts'
import { TIME_PATTERNS } from './time-patterns.ts'
import { cast } from './types.ts'

/** Writes a pattern for the digits of a number from 0 to `most`. */
function digitsTo(most: string): string {
  const lower = [...most].flatMap((digit, at) =>
    digit === '0' ? [] : [`${most.slice(0, at)}[0-${Number(digit) - 1}]\\d{${most.length - at - 1}}`],
  )
  return `(?:\\d{1,${most.length - 1}}|${lower.join('|')}|${most})`
}

const INT8_TEXT = `^(?:[+-]?0*${digitsTo('9223372036854775807')}|-0*9223372036854775808)(?:\\.0{1,100})?$`
/** The lengths are bounded because `numeric` has at most 131,072 digits. */
const DECIMAL_TEXT = String.raw`^[+-]?(?:\d{1,200}\.?\d{0,200}|\.\d{1,200})(?:[eE][+-]?\d{1,3})?$`
const UUID_TEXT = String.raw`(?i)^(?:(?:[\da-f]{4}-?){7}[\da-f]{4}|\{(?:[\da-f]{4}-?){7}[\da-f]{4}\})$`
const TIME_OF_DAY = String.raw`^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?|24:00(?::00)?)(?:[Zz]|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$`

/** Patterns of the texts that a field with this cast shows (`core/engine/json/leaf-rule.ts`), whether the JSON is a string or a number. */
const TEXTS: Readonly<Record<string, SqlFragment>> = {
  int8: literal(INT8_TEXT),
  numeric: literal(DECIMAL_TEXT),
  timestamptz: TIME_PATTERNS.timestamptz,
  date: TIME_PATTERNS.date,
  time: literal(TIME_OF_DAY),
  uuid: literal(UUID_TEXT),
}

/** Smallest and largest numbers that do not become zero or infinite as `float8`. */
const [TINY, HUGE] = ['2.5e-324', '1.7976931348623158e308']

/** Conditions in SQL/JSON path for values that a field with this cast shows in one JSON type only. */
const PATHS: Readonly<Record<string, SqlFragment>> = {
  int4: onlyWhere('@.type() == "number" && @ >= -2147483648 && @ <= 2147483647 && @.floor() == @'),
  float8: onlyWhere(`@.type() == "number" && @ < ${HUGE} && @ > -${HUGE} && (@ == 0 || @ >= ${TINY} || @ <= -${TINY})`),
  bool: onlyWhere('@.type() == "boolean"'),
}

/** Patterns of texts of keys. A key may be a number or a string, whatever the type of the column. */
const KEYS: Readonly<Record<string, SqlFragment>> = {
  ...TEXTS,
  int2: literal(`^(?:[+-]?0*${digitsTo('32767')}|-0*32768)$`),
  int4: literal(`^(?:[+-]?0*${digitsTo('2147483647')}|-0*2147483648)$`),
}

function onlyWhere(condition: string): SqlFragment {
  return literal(`strict $ ? (${condition})`)
}

/** Matches the JSON of a number or boolean that can be converted to `jsonb`, in a column of type `json`. */
const PLAIN_JSON = literal(String.raw`^(?:true|false|-?[\d.]{1,200}(?:[eE][+-]?\d{1,3})?)$`)

/**
 * Casts a value of a document to the type of its field. Any value can be under a key, and a failed cast would fail the statement: a value
 * that the field does not show is NULL.
 */
export function castDocument(value: DocumentValue, type: string): SqlFragment {
  const path = PATHS[type]
  if (path === undefined || isProven(value, type)) return castWhere(value, type, TEXTS[type])
  const { json, jsonb } = value
  const scalar = jsonb ? json : sql`CASE WHEN ${json}::text ~ ${PLAIN_JSON} THEN ${json}::text::jsonb END`
  return cast(sql`(jsonb_path_query_first(${scalar}, ${path}, '{}', true) #>> '{}')`, type)
}

/** Casts a key in a document to the type of the column that it refers to. */
export function castDocumentKey(value: DocumentValue, type: string): SqlFragment {
  return castWhere(value, type, KEYS[type])
}

function castWhere(value: DocumentValue, type: string, pattern: SqlFragment | undefined): SqlFragment {
  const { text } = value
  if (pattern === undefined || isProven(value, type)) return cast(text, type)
  return sql`CASE WHEN ${text} ~ ${pattern} THEN ${cast(text, type)} END`
}

/** Tests whether an index over the cast proves that it never fails. The index is used for this expression only. */
function isProven({ casts }: DocumentValue, type: string): boolean {
  return casts?.includes(type) === true
}

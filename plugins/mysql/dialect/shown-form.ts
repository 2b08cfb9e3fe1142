import { EMPTY, join, literal, type SqlFragment } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import type { Flavour } from './flavour.ts'
import { momentOf } from './forms.ts'
import type { Kind } from './kind.ts'

/** A stored value that may be of another type than its field. */
export interface HeldValue {
  /** The JSON scalar; `null`: a column, whose text may be anything. */
  readonly json: SqlFragment | null
  /** NULL for an object, a list and JSON null. */
  readonly text: SqlFragment
}

const WHOLE = literal('^[+-]?0*[0-9]{1,19}([.]0{1,100})?$')
const NUMBER = literal('^[+-]?([0-9]{1,400}[.]?[0-9]{0,400}|[.][0-9]{1,400})([eE][+-]?[0-9]{1,5})?$')
const CLOCK = literal(
  '^(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?|24:00(:00)?)([Zz]|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?$',
)
const UUID = literal('^(([0-9A-Fa-f]{4}-?){7}[0-9A-Fa-f]{4}|[{]([0-9A-Fa-f]{4}-?){7}[0-9A-Fa-f]{4}[}])$')
/** The server reads larger numbers as the largest one. */
const LARGEST = sql`1.7976931348623157e308`
const NUMBERS = ['INTEGER', 'DOUBLE', 'DECIMAL', 'UNSIGNED INTEGER']

/**
 * Writes a stored value in the form in which values of a kind are compared. A value that its field does not show is NULL,
 * so that it fulfils no condition and sorts like a null. The text is tested before the cast, because the server casts a
 * part of a text that is no number.
 * @param isShort the integers have 32 bits, and are never texts in a document
 */
export function shownForm(
  { exact, jsonKey }: Flavour,
  kind: Kind,
  { json, text: shown }: HeldValue,
  isShort: boolean,
): SqlFragment {
  /** The text of a value that is not JSON null, which its type excludes. */
  const text = json === null ? shown : sql`JSON_UNQUOTE(${json})`
  const number = json ?? shown
  const when = (types: readonly string[], isShown: SqlFragment, value: SqlFragment): SqlFragment => {
    const isOfType = json === null ? EMPTY : sql`JSON_TYPE(${json}) IN (${join(types.map(literal), ', ')}) AND `
    return sql`CASE WHEN ${isOfType}${isShown} THEN ${value} END`
  }
  switch (kind) {
    case 'integer':
      return isShort
        ? when(NUMBERS, sql`${number} REGEXP ${NUMBER}`, shortNumber(number))
        : when([...NUMBERS, 'STRING'], sql`${text} REGEXP ${WHOLE}`, wholeNumber(text))
    case 'real': {
      const double = sql`CAST(${number} AS DOUBLE)`
      const isHeld = sql`(ABS(${double}) < ${LARGEST} OR LOWER(${jsonKey(number)}) IN ('${LARGEST}', '-${LARGEST}'))`
      return when(NUMBERS, sql`${number} REGEXP ${NUMBER} AND ${isHeld}`, double)
    }
    case 'decimal':
      return when([...NUMBERS, 'STRING'], sql`${text} REGEXP ${NUMBER}`, sql`CAST(${text} AS DECIMAL(65,30))`)
    case 'boolean':
      if (json === null) return sql`CASE WHEN ${text} IN ('true', '1') THEN 1 WHEN ${text} IN ('false', '0') THEN 0 END`
      return sql`CASE WHEN JSON_TYPE(${json}) = 'BOOLEAN' THEN ${json} = 'true' END`
    case 'datetime':
      return ifText(json, momentOf(text))
    case 'date':
      return ifText(json, sql`CAST(${momentOf(text)} AS DATE)`)
    case 'time':
      return when(['STRING'], sql`${text} REGEXP ${CLOCK}`, sql`CAST(REGEXP_SUBSTR(${text}, '^[0-9:.]+') AS TIME(6))`)
    case 'uuid':
      return when(['STRING'], sql`${text} REGEXP ${UUID}`, sql`${uuidForm(text)} COLLATE ${exact}`)
    case 'text':
    case 'bytes':
      return sql`${shown} COLLATE ${exact}`
    case 'json':
      return shown
  }
}

/** Writes an integer of 64 bits; NULL for a larger one. */
export function wholeNumber(text: SqlFragment): SqlFragment {
  const number = sql`CAST(${text} AS DECIMAL(65,0))`
  return sql`CASE WHEN ${number} BETWEEN -9223372036854775808 AND 9223372036854775807 THEN CAST(${number} AS SIGNED) END`
}

/** Writes an integer of 32 bits; NULL for a larger one, and for one with a fraction. */
function shortNumber(text: SqlFragment): SqlFragment {
  const number = sql`CAST(${text} AS DOUBLE)`
  return sql`CASE WHEN ${number} BETWEEN -2147483648 AND 2147483647 AND ${number} = FLOOR(${number}) THEN CAST(${number} AS SIGNED) END`
}

function ifText(json: SqlFragment | null, value: SqlFragment): SqlFragment {
  return json === null ? value : sql`CASE WHEN JSON_TYPE(${json}) = 'STRING' THEN ${value} END`
}

/** Writes a UUID with hyphens, in lower case. */
function uuidForm(text: SqlFragment): SqlFragment {
  const digits = sql`REGEXP_REPLACE(${text}, '[-{}]', '')`
  return sql`LOWER(INSERT(INSERT(INSERT(INSERT(${digits}, 21, 0, '-'), 17, 0, '-'), 13, 0, '-'), 9, 0, '-'))`
}

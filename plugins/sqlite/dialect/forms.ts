import { literal, type SqlFragment, type SqlValue } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { type Kind, kindOfType } from './kind.ts'

/**
 * Writes a SQLite expression for the text of a value with all of its digits. SQLite itself prints 15 digits of a REAL.
 */
export function exactText(value: SqlFragment): SqlFragment {
  return sql`CASE typeof(${value}) WHEN 'real' THEN svc_number(${value}) ELSE CAST(${value} AS TEXT) END`
}

/**
 * Writes a SQLite expression for the text of a bytes column, in PostgreSQL's form `\x…`. Stored texts stay unchanged.
 */
export function bytesText(value: SqlFragment): SqlFragment {
  return sql`CASE typeof(${value}) WHEN 'blob' THEN '\\x' || lower(hex(${value})) ELSE CAST(${value} AS TEXT) END`
}

/**
 * Writes a SQLite expression for the text of a JSON scalar with its original digits; NULL for JSON null.
 * @param json the scalar as JSON
 * @param text the scalar as SQLite converts it to text
 */
export function jsonScalarText(json: SqlFragment, text: SqlFragment): SqlFragment {
  return sql`CASE json_type(${json}) WHEN 'text' THEN ${text} WHEN 'null' THEN NULL ELSE '' || ${json} END`
}

/** Writes a SQLite expression for the text of a number with its original digits. */
export function digitsOf(value: SqlValue): SqlFragment {
  return value.from === 'column' ? exactText(value.sql) : jsonScalarText(value.json, value.text)
}

/**
 * Writes a SQLite expression that converts a text to the form in which values of a kind are compared. Equal values have
 * equal forms, which sort as the values do.
 */
export function comparedForm(kind: Kind, text: SqlFragment): SqlFragment {
  switch (kind) {
    case 'integer':
      return sql`CAST(${text} AS INTEGER)`
    case 'real':
      return sql`CAST(${text} AS REAL)`
    case 'boolean':
      return sql`(${text} = 'true')`
    case 'decimal':
    case 'datetime':
    case 'date':
    case 'time':
      return sql`svc_known(${literal(kind)}, ${text})`
    case 'uuid':
      return sql`svc_uuid_text(${text})`
    case 'text':
    case 'json':
      return text
  }
}

const LARGEST = sql`1.7976931348623157e308`

/** A stored value with the type that SQLite has for it. */
interface TypedValue {
  /** Result of `json_type` or `typeof`. */
  readonly type: SqlFragment
  readonly value: SqlFragment
  /** The digits of a number as they are written. */
  readonly digits: SqlFragment
}

/**
 * Writes the compared form of a value that may have any type. A value that a field of the kind does not show is NULL, so that it
 * fulfils no condition and sorts like a null.
 * @param isShort the integers have 32 bits, and are never texts
 */
export function shownForm(kind: Kind, { type, value, digits }: TypedValue, isShort: boolean): SqlFragment {
  switch (kind) {
    case 'integer': {
      const whole = sql`CAST(${value} AS INTEGER)`
      if (isShort)
        return sql`CASE WHEN ${type} IN ('integer', 'real') AND ${value} BETWEEN -2147483648 AND 2147483647 AND ${value} = ${whole} THEN ${whole} END`
      return sql`CASE WHEN ${type} IN ('integer', 'real', 'text') THEN CASE typeof(${value}) WHEN 'integer' THEN ${value} ELSE svc_known('integer', ${value}) END END`
    }
    case 'real':
      return sql`CASE WHEN ${type} IN ('integer', 'real') AND abs(${value}) <= ${LARGEST} THEN CAST(${value} AS REAL) END`
    case 'boolean':
      return sql`CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`
    case 'decimal':
      return sql`CASE WHEN ${type} IN ('integer', 'real', 'text') THEN svc_known('decimal', ${digits}) END`
    case 'datetime':
    case 'date':
    case 'time':
    case 'uuid':
      return sql`CASE ${type} WHEN 'text' THEN svc_known(${literal(kind)}, ${value}) END`
    case 'text':
    case 'json':
      return value
  }
}

/**
 * Writes the operand of a comparison in SQLite in the form of {@link comparedForm}. A malformed time is an error of the
 * client, not of the stored data.
 * @param slot placeholder of the parameter
 */
export function operandForm(kind: Kind, slot: SqlFragment): SqlFragment {
  if (kind === 'datetime') return sql`svc_operand('datetime', ${slot})`
  return kind === 'date' ? sql`svc_operand('date', ${slot})` : comparedForm(kind, slot)
}

/** Writes a cast in SQLite to a type with a PostgreSQL name. Types without a counterpart leave the value unchanged. */
export function cast(value: SqlFragment, type: string): SqlFragment {
  switch (kindOfType(type)) {
    case 'integer':
      return sql`CAST(${value} AS INTEGER)`
    case 'real':
      return sql`CAST(${value} AS REAL)`
    case 'decimal':
      return sql`CAST(${value} AS NUMERIC)`
    case 'boolean':
      return sql`(${value} = 'true')`
    case 'datetime':
    case 'date':
    case 'time':
    case 'uuid':
    case 'json':
    case 'text':
      return type === 'text' ? sql`CAST(${value} AS TEXT)` : value
  }
}

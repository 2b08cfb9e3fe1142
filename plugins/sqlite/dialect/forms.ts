import type { SqlFragment, SqlValue } from '../../../core/doors/driver.ts'
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
    case 'decimal':
      return sql`svc_decimal_key(${text})`
    case 'boolean':
      return sql`(${text} = 'true')`
    case 'datetime':
      return sql`svc_datetime(${text})`
    case 'date':
      return sql`svc_date(${text})`
    case 'time':
      return sql`svc_time(${text})`
    case 'uuid':
      return sql`svc_uuid_text(${text})`
    case 'text':
    case 'json':
      return text
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

import type { SqlFragment, SqlValue } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { type Kind, kindOfType } from './kind.ts'

/** The text of a value with all its digits: SQLite itself writes 15 of a REAL. */
export function exactText(value: SqlFragment): SqlFragment {
  return sql`CASE typeof(${value}) WHEN 'real' THEN svc_number(${value}) ELSE CAST(${value} AS TEXT) END`
}

/** The text of a column of bytes, as PostgreSQL writes it; what stands there as a text stays one. */
export function bytesText(value: SqlFragment): SqlFragment {
  return sql`CASE typeof(${value}) WHEN 'blob' THEN '\\x' || lower(hex(${value})) ELSE CAST(${value} AS TEXT) END`
}

/** The text of a scalar in JSON, with the digits that stand there; NULL for null. */
export function jsonScalarText(json: SqlFragment, text: SqlFragment): SqlFragment {
  return sql`CASE json_type(${json}) WHEN 'text' THEN ${text} WHEN 'null' THEN NULL ELSE '' || ${json} END`
}

/** The text of a number with the digits that stand there, wherever that is. */
export function digitsOf(value: SqlValue): SqlFragment {
  return value.from === 'column' ? exactText(value.sql) : jsonScalarText(value.json, value.text)
}

/**
 * A text in the form in which values of a kind are compared. Texts of one value have one form, and forms sort as the
 * values do.
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

/** The same for what a client compares with: a time that has no such form is the client's fault, not the file's. */
export function operandForm(kind: Kind, slot: SqlFragment): SqlFragment {
  if (kind === 'datetime') return sql`svc_operand('datetime', ${slot})`
  return kind === 'date' ? sql`svc_operand('date', ${slot})` : comparedForm(kind, slot)
}

/** `value` as a canonical type, where a column holds that type: keys are compared as they are stored. */
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

import { qualified, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { SqlValue } from '../../sql-value.ts'

const DOMAIN = /^enum:(.*) in (.*)$/s

/** Returns the catalog name of a domain over an enum: the enum with its schema. */
export function domainOverEnum(name: string, schema: string): string {
  return `enum:${name} in ${schema}`
}

/**
 * Casts a column of a domain over an enum to the enum. PostgreSQL cannot compare such a domain with a parameter of unknown type. An index
 * on the column can still be used.
 */
export function asEnum(column: SqlFragment, type: string | null): SqlFragment {
  const match = type === null ? null : DOMAIN.exec(type)
  return match === null ? column : sql`${column}::${qualified(match[2], match[1]!)}`
}

/** Applies {@link asEnum} to any stored value. */
export function comparableValue(value: SqlValue): SqlValue {
  return value.from === 'column' ? { ...value, sql: asEnum(value.sql, value.type) } : value
}

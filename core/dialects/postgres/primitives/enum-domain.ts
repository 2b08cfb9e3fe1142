import { qualified, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { SqlValue } from '../../sql-value.ts'

const DOMAIN = /^enum:(.*) in (.*)$/s

/** The catalog's name of a domain over an enum: the enum, with the schema that it is in. */
export function domainOverEnum(name: string, schema: string): string {
  return `enum:${name} in ${schema}`
}

/**
 * A column of a domain over an enum as the enum itself. PostgreSQL has no comparison of such a domain with a parameter, whose
 * type it would have to infer from it; an index on the column still serves.
 */
export function asEnum(column: SqlFragment, type: string | null): SqlFragment {
  const match = type === null ? null : DOMAIN.exec(type)
  return match === null ? column : sql`${column}::${qualified(match[2], match[1]!)}`
}

/** The same for any stored value. */
export function comparableValue(value: SqlValue): SqlValue {
  return value.from === 'column' ? { ...value, sql: asEnum(value.sql, value.type) } : value
}

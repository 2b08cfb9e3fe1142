import { type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { Projection } from '../sql-value.ts'

/** Alias of the subquery whose row is the object. No response key has this name, because a name would refer to a column before a row. */
const ROW = sql`r$`

/**
 * Writes the subquery `(SELECT … FROM …) r$` for a response object. @param rest clauses after the select list, with a
 * leading space
 */
export function subquery(projection: Projection, rest: SqlFragment): SqlFragment {
  return sql`(SELECT ${projection.columns}${rest}) ${ROW}`
}

/**
 * Writes a response object as a subquery that returns one value. @param rest clauses after the select list, with a
 * leading space
 */
export function objectValue(projection: Projection, rest: SqlFragment): SqlFragment {
  const { flat } = projection
  if (flat !== undefined) return rest.parts.length === 0 ? flat : sql`(SELECT ${flat}${rest})`
  return sql`(SELECT ${projection.value} FROM ${subquery(projection, rest)})`
}

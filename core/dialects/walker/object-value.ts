import { type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { Projection } from '../sql-value.ts'

/**
 * Alias of the subquery whose row is the object. No response key can be called so: a name stands for a column before it
 * stands for a row.
 */
const ROW = sql`r$`

/** `(SELECT … FROM …) r$`. @param rest what follows the select list, with a leading space */
export function subquery(projection: Projection, rest: SqlFragment): SqlFragment {
  return sql`(SELECT ${projection.columns}${rest}) ${ROW}`
}

/** Writes one object as a scalar subquery. */
export function objectValue(projection: Projection, rest: SqlFragment): SqlFragment {
  return sql`(SELECT ${projection.value} FROM ${subquery(projection, rest)})`
}

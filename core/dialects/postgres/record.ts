import { identifier, join, escapedLiteral as literal, type SqlFragment, sql } from '../../sql/fragment.ts'
import type { Projection, SqlMember } from '../sql-value.ts'

/** PostgreSQL cuts longer names. */
const LONGEST_ALIAS = 63
/** PostgreSQL's bound for the columns of a row. */
const MOST_COLUMNS = 1600

/**
 * An object as a record whose column names are the response keys: the database turns the whole tree into JSON once, at
 * the top (performance.md "SQL shape").
 */
export function record(members: readonly SqlMember[]): Projection {
  const fits = members.every(({ key }) => Buffer.byteLength(key) <= LONGEST_ALIAS)
  if (fits && members.length > 0 && members.length <= MOST_COLUMNS) {
    const columns = members.map(({ key, value }) => sql`${value} AS ${identifier(key)}`)
    return { columns: join(columns, ', '), value: sql`r$` }
  }
  return jsonRecord(concatenated(members))
}

/** A row that is one JSON value. */
export function jsonRecord(json: SqlFragment): Projection {
  return { columns: sql`${json} AS json`, value: sql`r$.json` }
}

/** The object as text, for what a record cannot hold: no fields, too many, or names that are too long. */
function concatenated(members: readonly SqlMember[]): SqlFragment {
  if (members.length === 0) return sql`'{}'::json`
  const parts = members.map(
    ({ key, value }) => sql`${literal(`${JSON.stringify(key)}:`)} || coalesce(to_json(${value})::text, 'null')`,
  )
  return sql`('{' || array_to_string(ARRAY[${join(parts, ', ')}], ',') || '}')::json`
}

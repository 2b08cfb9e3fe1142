import { identifier, join, escapedLiteral as literal, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { Projection, SqlMember } from '../sql-value.ts'

/** Longest column alias in bytes: PostgreSQL truncates longer names (NAMEDATALEN). */
const LONGEST_ALIAS = 63
/** Most columns of a row (PostgreSQL, appendix "PostgreSQL Limits"). */
const MOST_COLUMNS = 1600

/**
 * Builds an object as a record whose column names are the response keys. The database converts the whole tree to JSON once, at the
 * top, which measured fastest (docs/explain/architecture.md#from-a-document-to-a-statement).
 */
export function record(members: readonly SqlMember[]): Projection {
  const fits = members.every(({ key }) => Buffer.byteLength(key) <= LONGEST_ALIAS)
  if (fits && members.length > 0 && members.length <= MOST_COLUMNS) {
    const columns = members.map(({ key, value }) => sql`${value} AS ${identifier(key)}`)
    return { columns: join(columns, ', '), value: sql`r$` }
  }
  return jsonRecord(concatenated(members))
}

/** Builds a row that consists of one JSON value. */
export function jsonRecord(json: SqlFragment): Projection {
  return { columns: sql`${json} AS json`, value: sql`r$.json` }
}

/** Builds an object by concatenating text, where a record is impossible: no members, too many, or keys that are too long. */
function concatenated(members: readonly SqlMember[]): SqlFragment {
  if (members.length === 0) return sql`'{}'::json`
  const parts = members.map(
    ({ key, value }) => sql`${literal(`${JSON.stringify(key)}:`)} || coalesce(to_json(${value})::text, 'null')`,
  )
  return sql`('{' || array_to_string(ARRAY[${join(parts, ', ')}], ',') || '}')::json`
}

import { join, escapedLiteral as literal, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { TextMember } from '../sql-value.ts'
import { objectTextParts } from '../text-parts.ts'

/** A chain of `||` is nested as deep as it is long; beyond this many members an array is flatter. */
const LONGEST_CHAIN = 100

/** An object put together as text. */
export function objectText(members: readonly TextMember[]): SqlFragment {
  const parts = objectTextParts(members, literal)
  if (parts.length <= LONGEST_CHAIN) return sql`(${join(parts, ' || ')})`
  return sql`array_to_string(ARRAY[${join(parts, ', ')}], '')`
}

/** The JSON text of a list: the values of a subquery's rows. @param from ` FROM …` with a leading space */
export function listText(value: SqlFragment, from: SqlFragment, guard: SqlFragment | null): SqlFragment {
  if (guard === null) return sql`array_to_json(ARRAY(SELECT ${value}${from}))::text`
  return sql`(SELECT array_to_json(coalesce(array_agg(${value}), '{}'))::text${from}${guard})`
}

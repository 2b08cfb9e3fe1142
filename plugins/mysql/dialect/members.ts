import type { SqlFragment } from '../../../core/doors/driver.ts'
import { parameter, sql } from '../../../core/doors/plugin.ts'

/**
 * Writes `value IN (SELECT …)` over the items of a parameter. MariaDB keeps the result for a NULL over all executions of
 * a prepared statement, although that of an empty list differs from that of others. So the test for members never runs with
 * an empty list.
 * @param list a subquery in parentheses, with the parameter
 */
export function isIn(value: SqlFragment, list: SqlFragment): SqlFragment {
  return sql`(JSON_LENGTH(${parameterOf(list)}) > 0 AND ${value} IN ${list})`
}

/** Writes the opposite of {@link isIn}. NULL is in no list, and not outside of a list with items. */
export function isNotIn(value: SqlFragment, list: SqlFragment): SqlFragment {
  return sql`(JSON_LENGTH(${parameterOf(list)}) = 0 OR ${value} NOT IN ${list})`
}

function parameterOf({ parts }: SqlFragment): SqlFragment {
  for (const part of parts) if (typeof part !== 'string') return parameter(part)
  throw new Error('A list is a parameter')
}

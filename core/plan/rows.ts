import { allOf, EMPTY, qualified, type SqlFragment, sql } from '../sql/fragment.ts'
import type { Row } from './row.ts'

/** Which rows of a source, in which order. */
export interface RowsPlan {
  readonly conditions: readonly SqlFragment[]
  readonly order: SqlFragment | null
  /** ` LIMIT … OFFSET …`, with a leading space when there is something. */
  readonly page: SqlFragment
}

/**
 * ` FROM … WHERE … ORDER BY … LIMIT …`. When the row's document is read, the page is taken first, behind a fence
 * (`OFFSET 0`): otherwise the planner copies a view's document expression into every key that is read from it.
 */
export function rowsFrom(row: Row, plan: RowsPlan): SqlFragment {
  const clauses = sql` FROM ${sourceOf(row)}${whereOf(plan.conditions)}${orderOf(plan.order)}${plan.page}`
  if (!row.use.document) return clauses
  const fence = plan.page.parts.length === 0 ? sql` OFFSET 0` : EMPTY
  return sql` FROM (SELECT *${clauses}${fence}) ${row.alias ?? EMPTY}`
}

/** `"schema"."view" "t1"`. */
export function sourceOf(row: Row): SqlFragment {
  if (row.source === null || row.alias === null) throw new Error('A document is no source')
  return sql`${qualified(row.source.schema, row.source.name)} ${row.alias}`
}

export function whereOf(conditions: readonly SqlFragment[]): SqlFragment {
  const all = allOf(conditions)
  return all === null ? EMPTY : sql` WHERE ${all}`
}

export function orderOf(order: SqlFragment | null): SqlFragment {
  return order === null ? EMPTY : sql` ORDER BY ${order}`
}

import type { Rows } from '../../contract/plan/read-plan.ts'
import { type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { PartOfList } from '../primitives.ts'
import type { Projection } from '../sql-value.ts'
import { aliasOf, type Emission, having, sourceOf } from './emission.ts'
import { subquery } from './object-value.ts'
import { conditionsOf, countOf, orderOf, rowsFrom, whereOf } from './rows.ts'

/**
 * Writes the list of a row's related rows, as a member of its object.
 * @param projection the response object of a related row, which must be open
 * @param more further conditions, written last
 */
export function relatedList(
  emission: Emission,
  rows: Rows,
  projection: Projection,
  more: readonly SqlFragment[] = [],
): SqlFragment {
  const { dialect } = emission
  const { flat } = projection
  if (flat === undefined) {
    const { from, guard } = rowsFrom(emission, rows, more)
    return dialect.list(projection.value, sql` FROM ${subquery(projection, from)}`, guard)
  }
  const { row, page } = rows
  const conditions = [...conditionsOf(emission, rows), ...more]
  const source = sourceOf(emission, row)
  const from = sql` FROM ${source}${whereOf(conditions)}`
  const order = orderOf(emission, rows.order, true)
  const { key, columns } = row.source
  const typed = columns.filter(({ name }) => key.includes(name))
  const isKeyed = key.length > 0 && typed.length === key.length && row.documents === undefined
  const list = {
    value: flat,
    from,
    order,
    limit: pageCount(emission, page.limit),
    offset: pageCount(emission, page.offset),
  }
  const place = isKeyed ? { source, alias: aliasOf(emission, row), key: typed } : null
  return pageOfList(emission, { ...list, row: place }, page.guard)
}

/** Writes one page of a list of related rows or groups, in databases with flat projections. */
export function pageOfList(emission: Emission, list: PartOfList, guard: Rows['page']['guard']): SqlFragment {
  const { dialect } = emission
  const bound = guard === null ? null : having(emission, guard)
  // A list that may not be longer than its limit needs no page: it fails if it is.
  if (list.offset === null && (list.limit === null || guard !== null))
    return dialect.list(list.value, list.from, bound, list.order)
  if (dialect.part === undefined) throw new Error('A dialect with flat projections reads pages of related rows')
  const { value, from, order } = dialect.part(list)
  return dialect.list(value, from, bound, order)
}

export function pageCount(emission: Emission, count: Rows['page']['limit']): SqlFragment | null {
  return count === null ? null : countOf(emission, count)
}

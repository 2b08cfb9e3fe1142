import type { Page, Rows } from '../../contract/plan/read-plan.ts'
import { type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { PartOfList } from '../page-sql.ts'
import type { Projection } from '../sql-value.ts'
import { aliasOf, type Emission, having, sourceOf } from './emission.ts'
import { subquery } from './object-value.ts'
import { conditionsOf, countOf, orderOf, pageOf, rowsFrom, whereOf } from './rows.ts'

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
  if (projection.flat !== undefined) return flatList(emission, rows, projection.flat, more, true)
  const { from, guard } = rowsFrom(emission, rows, more)
  return dialect.list(projection.value, sql` FROM ${subquery(projection, from)}`, guard)
}

/**
 * Writes a list of rows in databases with flat projections.
 * @param value the response object of a row
 * @param isRelated `true`: the conditions refer to an outer row
 */
export function flatList(
  emission: Emission,
  rows: Rows,
  value: SqlFragment,
  more: readonly SqlFragment[],
  isRelated: boolean,
): SqlFragment {
  const { row, page } = rows
  const conditions = [...conditionsOf(emission, rows), ...more]
  const source = sourceOf(emission, row)
  const { key, columns } = row.source
  const typed = columns.filter(({ name }) => key.includes(name))
  const isKeyed = key.length > 0 && typed.length === key.length && row.documents === undefined
  return pageOfList(
    emission,
    {
      value,
      rows: sql`${source}${whereOf(conditions)}`,
      queryOrder: orderOf(emission, rows.order),
      order: orderOf(emission, rows.order, true),
      alias: aliasOf(emission, row),
      row: isKeyed ? { source, key: typed } : null,
    },
    page,
    isRelated,
  )
}

/** Writes one page of a list of rows or groups, in databases with flat projections. */
export function pageOfList(
  emission: Emission,
  list: Omit<PartOfList, 'limit' | 'offset'> & { readonly queryOrder: SqlFragment },
  page: Page,
  isRelated: boolean,
): SqlFragment {
  const { dialect } = emission
  const guard = page.guard === null ? null : having(emission, page.guard)
  const { value, rows, order, queryOrder, alias } = list
  const { limit, offset } = page
  if (limit === null && offset === null) return dialect.list(value, sql` FROM ${rows}`, guard, order)
  if (!isRelated || dialect.part === undefined) {
    const part = sql` FROM (SELECT * FROM ${rows}${queryOrder}${pageOf(emission, page)}) ${alias}`
    return dialect.list(value, part, guard, order)
  }
  // A list that fails if it is longer than its limit needs no page.
  if (offset === null && guard !== null) return dialect.list(value, sql` FROM ${rows}`, guard, order)
  const part = dialect.part({ ...list, limit: pageCount(emission, limit), offset: pageCount(emission, offset) })
  return dialect.list(part.value, part.from, guard, part.order)
}

function pageCount(emission: Emission, count: Page['limit']): SqlFragment | null {
  return count === null ? null : countOf(emission, count)
}

import type { Condition, Tie } from '../../contract/plan/condition.ts'
import type { Count, CountOf, OrderTerm, Page, Rows } from '../../contract/plan/read-plan.ts'
import { EMPTY, integer, join, parameter, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import { writeCondition, writeTie } from './condition.ts'
import { aliasOf, type Emission, having, openRow, openSourceRow, sourceOf } from './emission.ts'
import { fenceRelations } from './fence-relations.ts'
import { comparableOf, operandOf, operator } from './operands.ts'

/**
 * Conditions that select the rows of a list: the join to the parent, access rules, arguments, and the client's filter.
 */
export interface Restriction {
  readonly tie?: Tie | null
  readonly rules: readonly Condition[]
  readonly where: readonly Condition[]
  readonly filter: Condition | null
}

/**
 * Writes the conditions that select rows as SQL, for a WHERE clause with AND. Order: join to the parent, access rules,
 * arguments and keys, the client's filter in parentheses.
 */
export function conditionsOf(emission: Emission, { tie = null, rules, where, filter }: Restriction): SqlFragment[] {
  return fenceRelations(emission, [...rules, ...where, filter], () => {
    const conditions = tie === null ? [] : [writeTie(emission, tie)]
    for (const condition of rules) conditions.push(writeCondition(emission, condition))
    for (const condition of where) conditions.push(writeCondition(emission, condition))
    if (filter !== null) conditions.push(sql`(${writeCondition(emission, filter)})`)
    return conditions
  })
}

/**
 * Writes ` FROM … WHERE … ORDER BY … LIMIT …` for the rows of a list. Call it after the SQL of the row's object was
 * written, which shows whether the row is read from a JSON document. In that case a subquery selects the page first;
 * otherwise the planner would evaluate the document again for every key.
 * @param more further conditions, written last
 * @returns `guard`: ` HAVING …` that fails for too many rows; `null`: no limit
 */
export function rowsFrom(
  emission: Emission,
  rows: Rows,
  more: readonly SqlFragment[] = [],
): { readonly from: SqlFragment; readonly guard: SqlFragment | null } {
  const { row } = rows
  const conditions = [...conditionsOf(emission, rows), ...more]
  const order = orderOf(emission, rows.order)
  const page = pageOf(emission, rows.page)
  const guard = rows.page.guard === null ? null : having(emission, rows.page.guard)
  const clauses = sql` FROM ${sourceOf(emission, row)}${whereOf(conditions)}${order}${page}`
  // A subquery in FROM may be unable to refer to outer rows.
  if (emission.dialect.flat === true || !openRow(emission, row).readsDocument) return { from: clauses, guard }
  const fence = page.parts.length === 0 ? emission.dialect.fence : EMPTY
  return { from: sql` FROM (SELECT *${clauses}${fence}) ${aliasOf(emission, row)}`, guard }
}

export function whereOf(conditions: readonly SqlFragment[]): SqlFragment {
  return conditions.length === 0 ? EMPTY : sql` WHERE ${join(conditions, ' AND ')}`
}

/** @param isOfList as in `Primitives.orderTerm` */
export function orderOf(emission: Emission, order: readonly OrderTerm[], isOfList?: boolean): SqlFragment {
  if (order.length === 0) return EMPTY
  const { dialect } = emission
  const terms = order.map((term) => {
    if (term.kind === 'relevance') return relevanceOf(emission, term)
    if (term.kind === 'rank') return rankOf(emission, term)
    const { value, sort = value, list, position } = comparableOf(emission, term.target)
    const { value: stored } = term.target
    const nullable = stored.from !== 'column' || !stored.notNull
    return term.kind === 'by'
      ? dialect.orderTerm(sort, term.direction, nullable, isOfList)
      : (position?.(parameter(term.slot)) ?? dialect.position(list(parameter(term.slot)), value))
  })
  return sql` ORDER BY ${join(terms, ', ')}`
}

function rankOf(
  emission: Emission,
  { operator: id, target, operand }: Extract<OrderTerm, { kind: 'rank' }>,
): SqlFragment {
  const value = comparableOf(emission, target)
  return emission.dialect.orderTerm(operator(emission, id)(value, operandOf(emission, value, operand)), 'DESC', true)
}

function relevanceOf(emission: Emission, { targets, slot }: Extract<OrderTerm, { kind: 'relevance' }>): SqlFragment {
  const { relevance } = emission.dialect
  if (relevance === undefined) throw new Error('The database cannot rank texts')
  return relevance(
    targets.map((target) => comparableOf(emission, target).text),
    parameter(slot),
  )
}

export function pageOf(emission: Emission, { limit, offset }: Page): SqlFragment {
  return emission.dialect.page(
    limit === null ? null : countOf(emission, limit),
    offset === null ? null : countOf(emission, offset),
  )
}

/** Writes a subquery that counts the rows of a list, as text. Limit and offset do not apply. */
export function countText(emission: Emission, of: CountOf): SqlFragment {
  openSourceRow(emission, of.row)
  const conditions = conditionsOf(emission, of)
  const count = emission.dialect.cast(sql`count(*)`, 'text')
  return sql`(SELECT ${count} FROM ${sourceOf(emission, of.row)}${whereOf(conditions)})`
}

/** Writes a row number for LIMIT, OFFSET or a page size: a constant, or a parameter. */
export function countOf({ dialect }: Emission, count: Count): SqlFragment {
  return typeof count === 'number' ? integer(count) : dialect.rowCount(parameter(count))
}

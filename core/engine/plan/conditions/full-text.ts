import type { Condition, Operand } from '../../../contract/plan/condition.ts'
import type { OrderTerm } from '../../../contract/plan/read-plan.ts'
import type { StoredValue, Target } from '../../../contract/plan/stored-value.ts'
import type { AuthoredFullText } from '../../../schema/authored.ts'
import { type FullTextQuery, fullTextOperator, rankOperator, readFullText } from '../../../schema/full-text.ts'
import { convertSearchText } from '../../../schema/operators/search-text.ts'
import type { PlanContext } from '../context/plan-context.ts'
import type { PlanValue } from '../context/plan-value.ts'
import { toJsonText } from '../values/operand.ts'
import { valueSlot } from '../values/operand-slot.ts'

/** A full-text search: a column of search words, and the query. */
export interface FullTextSearch {
  readonly target: Target
  readonly query: FullTextQuery
  readonly operand: Operand
  /** `true`: rows are sorted by rank, best match first. */
  readonly rank: boolean
}

/** Plans the full-text search of an argument. */
export function readSearch(
  context: PlanContext,
  given: string | AuthoredFullText,
  stored: StoredValue,
  value: PlanValue,
  place: string,
): FullTextSearch {
  const { query, config, rank } = readFullText(given)
  const slot = valueSlot(context, value, place, (text) => toJsonText({ config, text: convertSearchText(text) }))
  const target = { value: stored, named: null, list: false, type: 'tsvector' }
  return { target, query, operand: { kind: 'json', slot }, rank }
}

/** Plans the condition that the column matches the query. A query without words matches no row, as in the database. */
export function searchedCondition({ target, query, operand }: FullTextSearch): Condition {
  return { kind: 'compare', operator: fullTextOperator(query), target, operand }
}

/** Plans the order by rank, best match first. */
export function rankOrder({ target, query, operand }: FullTextSearch): OrderTerm {
  return { kind: 'rank', operator: rankOperator(query), target, operand }
}

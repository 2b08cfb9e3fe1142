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

/** A column of search words, and what it is searched for. */
export interface FullTextSearch {
  readonly target: Target
  readonly query: FullTextQuery
  readonly operand: Operand
  /** Do the rows that match best come first? */
  readonly rank: boolean
}

/** Reads what an argument says. */
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

/** The column matches. Of no words nothing matches, as the database has it. */
export function searchedCondition({ target, query, operand }: FullTextSearch): Condition {
  return { kind: 'compare', operator: fullTextOperator(query), target, operand }
}

/** The rows that match best first. */
export function rankOrder({ target, query, operand }: FullTextSearch): OrderTerm {
  return { kind: 'rank', operator: rankOperator(query), target, operand }
}

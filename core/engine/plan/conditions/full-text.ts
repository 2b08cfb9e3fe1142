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

/**
 * A query argument that searches a column of type `tsvector`: the column (`target`), how the text is parsed (`query`),
 * and the text (`operand`).
 */
export interface FullTextSearch {
  readonly target: Target
  readonly query: FullTextQuery
  readonly operand: Operand
  /** `true`: rows are sorted by how well they match, best first. */
  readonly rank: boolean
}

/**
 * Plans a query argument that searches a `tsvector` column. Its text becomes a parameter of the statement.
 * @param given options of the argument in the schema (`full_text`)
 * @param stored the searched column
 * @param place name of the argument, for errors
 */
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

/**
 * Returns the condition that the searched column matches the text of the client. A text without words matches no row.
 */
export function searchedCondition({ target, query, operand }: FullTextSearch): Condition {
  return { kind: 'compare', operator: fullTextOperator(query), target, operand }
}

/** Returns the sort key that puts rows with the best match first. */
export function rankOrder({ target, query, operand }: FullTextSearch): OrderTerm {
  return { kind: 'rank', operator: rankOperator(query), target, operand }
}

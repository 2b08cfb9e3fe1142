import type { AuthoredFullText } from '../../schema/authored.ts'
import type { PlanContext } from '../plan-context.ts'
import type { PlanValue } from '../plan-value.ts'
import type { Target } from '../rows/stored-value.ts'
import type { Condition } from './condition.ts'
import { toJsonText } from './operand.ts'
import { valueSlot } from './operand-slot.ts'
import type { OperatorId } from './operator.ts'

/** How the text of a client is read. */
export const FULL_TEXT_QUERIES = ['plain', 'phrase', 'websearch'] as const
export type FullTextQuery = (typeof FULL_TEXT_QUERIES)[number]

/** The configuration of text search that a query is read with, where nothing is said. */
export const FULL_TEXT_CONFIG = 'english'

/** The operator that a dialect has for it; no filter of a client can name it. */
export function fullTextOperator(query: FullTextQuery): OperatorId {
  return `@full_text:${query}`
}

/** `full_text` with all its parts. */
export function readFullText(given: string | AuthoredFullText): Required<AuthoredFullText> {
  const { column, query = 'plain', config = FULL_TEXT_CONFIG } = typeof given === 'string' ? { column: given } : given
  return { column, query, config }
}

/** A column of search words matches what an argument says. Of no words nothing matches, as the database has it. */
export function fullTextCondition(
  context: PlanContext,
  given: string | AuthoredFullText,
  target: Target,
  value: PlanValue,
  place: string,
): Condition {
  const { query, config } = readFullText(given)
  const slot = valueSlot(context, value, place, (text) => toJsonText({ config, text }))
  return { kind: 'compare', operator: fullTextOperator(query), target, operand: { kind: 'json', slot } }
}

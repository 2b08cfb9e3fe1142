import type { AuthoredFullText } from '../../schema/authored.ts'
import { fullTextOperator, readFullText } from '../../schema/full-text.ts'
import type { PlanContext } from '../plan-context.ts'
import type { PlanValue } from '../plan-value.ts'
import type { Target } from '../rows/stored-value.ts'
import type { Condition } from './condition.ts'
import { toJsonText } from './operand.ts'
import { valueSlot } from './operand-slot.ts'
import { convertSearchText } from './search-text.ts'

/** A column of search words matches what an argument says. Of no words nothing matches, as the database has it. */
export function fullTextCondition(
  context: PlanContext,
  given: string | AuthoredFullText,
  target: Target,
  value: PlanValue,
  place: string,
): Condition {
  const { query, config } = readFullText(given)
  const slot = valueSlot(context, value, place, (text) => toJsonText({ config, text: convertSearchText(text) }))
  return { kind: 'compare', operator: fullTextOperator(query), target, operand: { kind: 'json', slot } }
}

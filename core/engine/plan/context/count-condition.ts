import { limitError, type PlanContext } from './plan-context.ts'

const MOST_CONDITIONS = 1000
/** Limit of relations in filters. The planning time of a statement grows with each relation, sometimes exponentially. */
const MOST_RELATIONS = 128

/**
 * Counts a condition of a request: a comparison, a filter on objects, and an empty condition, which is also written to the
 * statement. Conditions of `authorize` do not count against the client's limit.
 * @throws SvcError VALIDATION_ERROR when a request has too many
 */
export function countCondition(context: PlanContext, place: string): void {
  const { counts } = context
  counts.conditions += 1
  if (context.bound === 'access') return
  counts.asked += 1
  if (counts.asked > MOST_CONDITIONS) {
    throw limitError(context, place, `a request may have ${MOST_CONDITIONS} conditions; use _in for long lists.`)
  }
}

/**
 * Counts a relation that a filter goes through, which is a condition as well.
 * @throws SvcError VALIDATION_ERROR when a request has too many
 */
export function countRelation(context: PlanContext, place: string): void {
  countCondition(context, place)
  if (context.bound === 'access') return
  context.counts.relations += 1
  if (context.counts.relations > MOST_RELATIONS) {
    const instead = 'combine conditions on the same rows within one of them, or send several requests.'
    throw limitError(context, place, `filters of a request may go through ${MOST_RELATIONS} relations; ${instead}`)
  }
}

import { limitError, type PlanContext } from './plan-context.ts'

/** Defaults of the limits, above any known use. */
export const MOST_SORT_KEYS = 32
export const MOST_GROUP_KEYS = 16

/**
 * Checks the number of sort keys in one list against `svc.max_sort_keys`. Repeated keys count, because each is read and planned.
 * @throws SvcError VALIDATION_ERROR
 */
export function boundSortKeys(context: PlanContext, keys: number, place: string): void {
  const most = context.settings.maxSortKeys ?? MOST_SORT_KEYS
  if (most > 0 && keys > most) {
    throw limitError(
      context,
      place,
      `${keys} sort keys are more than the ${most} that a list may have (svc.max_sort_keys).`,
    )
  }
}

/** Checks the number of group keys against `svc.max_group_keys`. @throws SvcError VALIDATION_ERROR */
export function boundGroupKeys(context: PlanContext, keys: number): void {
  const most = context.settings.maxGroupKeys ?? MOST_GROUP_KEYS
  if (most > 0 && keys > most) {
    throw limitError(
      context,
      'groupBy',
      `groups by ${keys} keys are more than by the ${most} that are allowed (svc.max_group_keys).`,
    )
  }
}

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
 * Counts a relation in a filter toward the limits of relations and conditions.
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

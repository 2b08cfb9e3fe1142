import { limitError, type PlanContext } from './plan-context.ts'

/** Default of `svc.max_sort_keys`: the maximum number of sort keys in a list. */
export const MOST_SORT_KEYS = 32
export const MOST_GROUP_KEYS = 16

/**
 * Throws if a list has more sort keys than `svc.max_sort_keys`. Repeated keys count, because each is read and planned.
 * @param place name of the argument, for the error
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

/** Throws if an aggregate has more group keys than `svc.max_group_keys`. @throws SvcError VALIDATION_ERROR */
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
 * Adds 1 to the number of conditions in the planned request, and throws above 1,000. Comparisons, filters on objects
 * and empty conditions count. Conditions of `authorize` hooks do not count toward the limit.
 * @param place path of the condition in the arguments, for the error
 * @throws SvcError VALIDATION_ERROR
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
 * Adds 1 to the number of relations in filters of the planned request, and throws above 128. A relation also counts as
 * a condition.
 * @param place path of the filter in the arguments, for the error
 * @throws SvcError VALIDATION_ERROR
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

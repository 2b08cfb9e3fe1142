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

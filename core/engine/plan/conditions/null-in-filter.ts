import type { SvcError } from '../../../base/errors/svc-error.ts'
import { type ErrorPlace, inputError } from '../plan-context.ts'

/**
 * A `null` inside a filter. Clients write it both for "no condition" and for "is null", so either reading would give
 * wrong rows to half of them. Leaving the member out, as an absent variable does, is no condition.
 */
export function nullInFilter(context: ErrorPlace, place: string): SvcError {
  return inputError(context, place, 'null is no condition. Use _is_null to look for nulls, or leave the member out.')
}

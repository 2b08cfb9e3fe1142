import { errorAt } from '../../base/errors/error-at.ts'
import type { SvcError } from '../../base/errors/svc-error.ts'
import type { Operation } from '../../contract/operation.ts'

/**
 * Returns the errors that a response lists beside its data: one with a path for each part of the operation that the
 * caller may not see.
 */
export function maskedErrors({ template, access }: Operation): readonly SvcError[] {
  if (template.masked === undefined || access === undefined) return []
  return template.masked.places.map(({ path, target, location }) => {
    const denial = access.denied.get(target)
    if (denial === undefined) throw new Error(`${target} is masked, and there is no denial for it`)
    return errorAt(denial.error, { path, locations: location === null ? undefined : [location] })
  })
}

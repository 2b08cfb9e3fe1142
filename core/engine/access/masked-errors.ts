import { errorAt } from '../../base/errors/error-at.ts'
import type { SvcError } from '../../base/errors/svc-error.ts'
import type { Operation } from '../../contract/operation.ts'

/** Returns an error with a path for each denied part of an operation. */
export function maskedErrors({ template, access }: Operation): readonly SvcError[] {
  if (template.masked === undefined || access === undefined) return []
  return template.masked.places.map(({ path, target, location }) => {
    const denial = access.denied.get(target)
    if (denial === undefined) throw new Error(`${target} is masked, and there is no denial for it`)
    return errorAt(denial.error, { path, locations: location === null ? undefined : [location] })
  })
}

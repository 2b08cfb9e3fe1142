import type { Operation } from '../contract/operation.ts'
import { SvcError } from '../errors/svc-error.ts'

/** The errors of what is masked in this operation, each with its path; none: nothing is. */
export function maskedErrors({ template, access }: Operation): readonly SvcError[] {
  if (template.masked === undefined || access === undefined) return []
  return template.masked.places.map(({ path, target, location }) => {
    const denial = access.denied.get(target)
    if (denial === undefined) throw new Error(`${target} is masked, and nobody denied it`)
    const { code, message, details, status, retryAfter, cause } = denial.error
    const locations = location === null ? undefined : [location]
    return new SvcError(code, message, { details, status, retryAfter, cause, path, locations })
  })
}

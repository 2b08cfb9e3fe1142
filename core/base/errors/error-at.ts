import { SvcError, type SvcErrorOptions } from './svc-error.ts'

/** Returns a copy of an error with another path and other locations. `undefined` members keep the original ones. */
export function errorAt(error: SvcError, { path, locations }: Pick<SvcErrorOptions, 'path' | 'locations'>): SvcError {
  const { code, message, details, retryAfter, cause } = error
  const status = error.hasOwnStatus ? error.status : undefined
  return new SvcError(code, message, {
    details,
    status,
    retryAfter,
    cause,
    path: path ?? error.path,
    locations: locations ?? error.locations,
  })
}

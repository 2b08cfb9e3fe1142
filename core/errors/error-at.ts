import { SvcError, type SvcErrorOptions } from './svc-error.ts'

/** The same error with another place. @param place `undefined` in it: as it was */
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

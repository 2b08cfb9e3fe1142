import { SvcError, type SvcErrorOptions } from './svc-error.ts'

/**
 * Copies an error, and replaces its response path and its locations in the client's document. An `undefined` member
 * keeps the value of the original.
 */
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

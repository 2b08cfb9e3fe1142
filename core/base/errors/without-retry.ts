import { SvcError } from './svc-error.ts'

/**
 * Copies an error of a request that has written something, without `Retry-After`: a client that sends the request again
 * would write a second time.
 * @param more further details
 */
export function withoutRetry(
  { code, message, details, status, cause, path, locations }: SvcError,
  more?: Readonly<Record<string, unknown>>,
): SvcError {
  const all = more === undefined ? details : { ...details, ...more }
  return new SvcError(code, message, { details: all, status, cause, path, locations })
}

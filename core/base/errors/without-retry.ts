import { SvcError } from './svc-error.ts'

/**
 * Copies an error without its `Retry-After`, when its request has already written to the database: a client that sends
 * the request again would write a second time.
 * @param more details to add to those of the error
 */
export function withoutRetry(
  { code, message, details, status, cause, path, locations }: SvcError,
  more?: Readonly<Record<string, unknown>>,
): SvcError {
  const all = more === undefined ? details : { ...details, ...more }
  return new SvcError(code, message, { details: all, status, cause, path, locations })
}

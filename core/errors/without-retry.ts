import { SvcError } from './svc-error.ts'

/**
 * The same error, about what was written in part or whole: nobody is told when to try again, because whoever sends the request
 * once more would write a second time.
 * @param more details beside its own
 */
export function withoutRetry(
  { code, message, details, status, cause, path, locations }: SvcError,
  more?: Readonly<Record<string, unknown>>,
): SvcError {
  const all = more === undefined ? details : { ...details, ...more }
  return new SvcError(code, message, { details: all, status, cause, path, locations })
}

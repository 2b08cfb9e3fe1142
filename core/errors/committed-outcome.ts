import { SvcError } from './svc-error.ts'

/**
 * An error of what comes behind COMMIT: it says that the write stands (`outcome`), and nobody is told when to try again. Whoever
 * sends the request once more would write a second time.
 */
export function committedOutcome({ code, message, details, status, cause, path, locations }: SvcError): SvcError {
  const outcome = { ...details, outcome: 'committed' }
  return new SvcError(code, message, { details: outcome, status, cause, path, locations })
}

import type { SvcError } from './svc-error.ts'
import { withoutRetry } from './without-retry.ts'

/** Returns an error after COMMIT with `details.outcome: "committed"`, so that the client knows that the write was committed. */
export function committedOutcome(error: SvcError): SvcError {
  return withoutRetry(error, { outcome: 'committed' })
}

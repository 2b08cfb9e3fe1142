import type { SvcError } from './svc-error.ts'
import { withoutRetry } from './without-retry.ts'

/** Returns an error after COMMIT with `details.outcome: "committed"`, which says that the write stands. */
export function committedOutcome(error: SvcError): SvcError {
  return withoutRetry(error, { outcome: 'committed' })
}

import type { SvcError } from './svc-error.ts'
import { withoutRetry } from './without-retry.ts'

/**
 * Copies an error that occurred after COMMIT, and adds `details.outcome: "committed"`. It tells the client that the
 * write was made although the request failed. The copy has no `Retry-After`.
 */
export function committedOutcome(error: SvcError): SvcError {
  return withoutRetry(error, { outcome: 'committed' })
}

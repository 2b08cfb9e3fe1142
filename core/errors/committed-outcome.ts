import type { SvcError } from './svc-error.ts'
import { withoutRetry } from './without-retry.ts'

/** An error of what comes behind COMMIT: it says that the write stands (`outcome`). */
export function committedOutcome(error: SvcError): SvcError {
  return withoutRetry(error, { outcome: 'committed' })
}

import { SvcError } from './svc-error.ts'

/**
 * Creates the SERVICE_UNAVAILABLE error for a connection that broke during COMMIT, or during a write outside a
 * transaction. The write may or may not be committed. The error has no `Retry-After`, because a retry may write twice.
 */
export function unknownOutcome(cause?: unknown): SvcError {
  const message = 'The connection to the database broke under the statement: it is not known whether it was written.'
  return new SvcError('SERVICE_UNAVAILABLE', message, { cause, details: { outcome: 'unknown' } })
}

/**
 * Creates the TIMEOUT error for a deadline that passed during a write, when the driver could not confirm that the
 * database cancelled the write.
 */
export function unknownAtDeadline(cause?: unknown): SvcError {
  const message = 'The request outlived its deadline while it wrote: it is not known whether it was written.'
  return new SvcError('TIMEOUT', message, { cause, details: { outcome: 'unknown' } })
}

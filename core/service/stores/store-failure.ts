import { SvcError } from '../../base/errors/svc-error.ts'

/**
 * Creates the SERVICE_UNAVAILABLE error for a key-value store that cannot be reached. The log has the cause; clients do
 * not see it.
 */
export function storeUnavailable(cause: unknown): SvcError {
  if (cause instanceof SvcError && cause.code === 'SERVICE_UNAVAILABLE') return cause
  return new SvcError('SERVICE_UNAVAILABLE', 'A store that this needs cannot be reached.', { cause, retryAfter: 1 })
}

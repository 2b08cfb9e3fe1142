import { SvcError } from '../../base/errors/svc-error.ts'

/** Creates the error for an unreachable store. Clients do not see the reason, which the log has. */
export function storeUnavailable(cause: unknown): SvcError {
  if (cause instanceof SvcError && cause.code === 'SERVICE_UNAVAILABLE') return cause
  return new SvcError('SERVICE_UNAVAILABLE', 'A store that this needs cannot be reached.', { cause, retryAfter: 1 })
}

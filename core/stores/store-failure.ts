import { SvcError } from '../errors/svc-error.ts'

/** What a request is told when a store does not answer. The reason stays in the log. */
export function storeUnavailable(cause: unknown): SvcError {
  if (cause instanceof SvcError && cause.code === 'SERVICE_UNAVAILABLE') return cause
  return new SvcError('SERVICE_UNAVAILABLE', 'A store that this needs cannot be reached.', { cause, retryAfter: 1 })
}

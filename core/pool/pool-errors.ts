import { SvcError } from '../base/errors/svc-error.ts'
import type { Cancellable } from '../contract/cancellable.ts'

export const UNREACHABLE = 'The database cannot be reached.'

/** Creates the error for a statement that had no usable connection. */
export function unavailable(message: string, cause?: unknown): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 1 })
}

/** Creates the error for a statement whose request was aborted. */
export function abortedError(cancel: Cancellable | null): SvcError {
  return cancel?.abortReason === 'client'
    ? new SvcError('TIMEOUT', 'The client went away before the statement was done.', {
        details: { abortedBy: 'client' },
      })
    : new SvcError('TIMEOUT', 'The request outlived its deadline; its statement was cancelled.')
}

/** Creates the error for a request that a pool rejects because too many others already wait. */
export function tooMany(): SvcError {
  return unavailable('Too many requests are waiting for a database connection.')
}

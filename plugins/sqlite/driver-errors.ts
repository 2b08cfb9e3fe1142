import type { Cancellable } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'

export function unavailable(message: string, cause?: unknown): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 1 })
}

export function abortedError(cancel: Cancellable): SvcError {
  return cancel.abortReason === 'client'
    ? new SvcError('TIMEOUT', 'The client went away before the statement was done.', {
        details: { abortedBy: 'client' },
      })
    : new SvcError('TIMEOUT', 'The request outlived its deadline; its statement was stopped.')
}

/**
 * Calls `onAbort` when the request is aborted.
 * @param cancel the request; `null`: it cannot be aborted
 * @returns a function that removes the listener
 */
export function watchAbort(cancel: Cancellable | null, onAbort: () => void): () => void {
  return cancel === null ? () => {} : cancel.onAbort(onAbort)
}

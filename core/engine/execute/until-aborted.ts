import { SvcError } from '../../base/errors/svc-error.ts'
import type { Cancellable } from '../../contract/cancellable.ts'

/**
 * Waits for work of a plugin until its request is aborted. The work itself cannot be stopped.
 * @param what description of the work, for the error
 * @throws SvcError TIMEOUT
 */
export function untilAborted<T>(cancel: Cancellable, work: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = cancel.onAbort(() => reject(abortedError(cancel, what)))
    work.then(resolve, reject).finally(() => stop())
  })
}

function abortedError({ abortReason }: Cancellable, what: string): SvcError {
  return abortReason === 'client'
    ? new SvcError('TIMEOUT', `The client went away during ${what}.`, { details: { abortedBy: 'client' } })
    : new SvcError('TIMEOUT', `The request outlived its deadline during ${what}.`)
}

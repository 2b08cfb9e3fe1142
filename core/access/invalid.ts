import { SvcError } from '../errors/svc-error.ts'

/** A hook said what cannot be. The operation is denied; the log has the reason. */
export function invalid(message: string): SvcError {
  return new SvcError('SVC_ACCESS_INVALID', message)
}

/**
 * A value is not there, as a claim that the credential does not carry: absence denies.
 * @param known is there a credential?
 */
export function absent(known: boolean, message: string): SvcError {
  return known
    ? new SvcError('FORBIDDEN', message)
    : new SvcError('UNAUTHENTICATED', 'This needs a credential.', { cause: new Error(message) })
}

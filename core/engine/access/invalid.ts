import { SvcError } from '../../base/errors/svc-error.ts'

/** Creates the error of an invalid restriction of a hook. Clients see INTERNAL_SERVER_ERROR; the log has the reason. */
export function invalid(message: string): SvcError {
  return new SvcError('SVC_ACCESS_INVALID', message)
}

/**
 * Creates the error for an absent value, such as a claim that the credential lacks.
 * @param known the caller has a credential: FORBIDDEN, else UNAUTHENTICATED
 */
export function absent(known: boolean, message: string): SvcError {
  return known
    ? new SvcError('FORBIDDEN', message)
    : new SvcError('UNAUTHENTICATED', 'This needs a credential.', { cause: new Error(message) })
}

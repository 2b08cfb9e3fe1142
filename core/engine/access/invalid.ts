import { SvcError } from '../../base/errors/svc-error.ts'

/**
 * Creates the error for a restriction that an `authorize` hook declared wrongly. Clients receive INTERNAL_SERVER_ERROR;
 * the log contains the message.
 */
export function invalid(message: string): SvcError {
  return new SvcError('SVC_ACCESS_INVALID', message)
}

/**
 * Creates the error for a restriction whose value is missing, such as a claim that the credential lacks.
 * @param known `true`: the caller has a credential, the code is FORBIDDEN; `false`: UNAUTHENTICATED
 * @param message describes the missing value. With `known: false`, only the log has it
 */
export function absent(known: boolean, message: string): SvcError {
  return known
    ? new SvcError('FORBIDDEN', message)
    : new SvcError('UNAUTHENTICATED', 'This needs a credential.', { cause: new Error(message) })
}

import { SvcError } from '../../core/doors/plugin.ts'

/** Error codes for clients (RFC 6749, 4.1.2.1 and 5.2). */
const CODES = {
  invalid_request: 'BAD_USER_INPUT',
  invalid_grant: 'UNAUTHENTICATED',
  access_denied: 'FORBIDDEN',
  login_failed: 'OAUTH_EXCHANGE_FAILED',
} as const

/** An error of a login, with an OAuth error code. The message never contains text from a provider or client. */
export class OAuthFault extends SvcError {
  readonly error: string
  /** Is a state or refresh token invalid? Then the caller may be guessing. */
  readonly isCredential: boolean

  constructor(error: keyof typeof CODES, message: string, cause?: unknown, isCredential = error === 'invalid_grant') {
    super(CODES[error], message, { cause, ...(error === 'login_failed' ? { status: 502 } : {}) })
    this.error = error
    this.isCredential = isCredential
  }
}

/**
 * Creates the error for an invalid `state` in the callback of a login. The message is always the same, so that guesses
 * reveal nothing.
 */
export function unknownLogin(): OAuthFault {
  const message = 'This login is not known here: it took too long, was used before, or began elsewhere. Begin it again.'
  return new OAuthFault('invalid_request', message, undefined, true)
}

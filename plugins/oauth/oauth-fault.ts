import { SvcError } from '../../core/doors/plugin.ts'

/** RFC 6749, 4.1.2.1 and 5.2: what clients are told. */
const CODES = {
  invalid_request: 'BAD_USER_INPUT',
  invalid_grant: 'UNAUTHENTICATED',
  access_denied: 'FORBIDDEN',
  login_failed: 'OAUTH_EXCHANGE_FAILED',
} as const

/** Something about a login that is not as it has to be. The text is svc's own: nothing that a provider or client sent. */
export class OAuthFault extends SvcError {
  readonly error: string
  /** What was wrong is a state or a refresh token: somebody may be trying them out. */
  readonly isCredential: boolean

  constructor(error: keyof typeof CODES, message: string, cause?: unknown, isCredential = error === 'invalid_grant') {
    super(CODES[error], message, { cause, ...(error === 'login_failed' ? { status: 502 } : {}) })
    this.error = error
    this.isCredential = isCredential
  }
}

/** One text for whatever is wrong with a state: who tries them out learns nothing. */
export function unknownLogin(): OAuthFault {
  const message = 'This login is not known here: it took too long, was used before, or began elsewhere. Begin it again.'
  return new OAuthFault('invalid_request', message, undefined, true)
}

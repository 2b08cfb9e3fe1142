import { SvcError } from '../../core/doors/plugin.ts'

/**
 * Error for an invalid JWT, with few details for the client. `reason` is for the log and contains no text of the token.
 */
export class TokenRefused extends SvcError {
  readonly reason: string

  constructor(reason: string, message = 'The token is not valid.', cause?: unknown) {
    super('UNAUTHENTICATED', message, { cause, challenge: 'invalid_token' })
    this.reason = reason
  }
}

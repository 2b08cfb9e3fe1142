import { SvcError } from '../../core/doors/plugin.ts'

/** A token that is not valid. Clients are told as little as helps them; `reason` is for the log, in words of ours. */
export class TokenRefused extends SvcError {
  readonly reason: string

  constructor(reason: string, message = 'The token is not valid.', cause?: unknown) {
    super('UNAUTHENTICATED', message, { cause, challenge: 'invalid_token' })
    this.reason = reason
  }
}

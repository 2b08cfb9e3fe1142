import { SvcError } from './svc-error.ts'

/**
 * FORBIDDEN, because the database rejected the role of a request or one of its session variables. No part of the
 * operation has run; the whole operation is denied.
 */
export class SettingsRefused extends SvcError {
  /** @param cause error of the database, for the log. It names roles */
  constructor(cause: unknown) {
    super('FORBIDDEN', 'The database refused the role or a session variable of this request.', { cause })
  }
}

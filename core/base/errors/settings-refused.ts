import { SvcError } from './svc-error.ts'

/**
 * FORBIDDEN, because the database rejected the role of a request or one of its session variables. Nothing of the operation has run, and it
 * is denied as a whole.
 */
export class SettingsRefused extends SvcError {
  /** @param cause error of the database, for the log. It names roles */
  constructor(cause: unknown) {
    super('FORBIDDEN', 'The database refused the role or a session variable of this request.', { cause })
  }
}

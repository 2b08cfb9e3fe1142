import { SvcError } from './svc-error.ts'

/**
 * FORBIDDEN, because the database rejected the database role or a session variable of a request. It is thrown before
 * any statement of the operation has run.
 */
export class SettingsRefused extends SvcError {
  /** @param cause error of the database, for the log. It names roles */
  constructor(cause: unknown) {
    super('FORBIDDEN', 'The database refused the role or a session variable of this request.', { cause })
  }
}

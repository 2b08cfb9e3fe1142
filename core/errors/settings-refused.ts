import { SvcError } from './svc-error.ts'

/**
 * The database does not take on the role of a request, or one of its session variables. Nothing of the operation has run,
 * and nothing of it may run without them: it is denied as a whole.
 */
export class SettingsRefused extends SvcError {
  /** @param cause what the database said: for the log, it names roles */
  constructor(cause: unknown) {
    super('FORBIDDEN', 'The database refused the role or a session variable of this request.', { cause })
  }
}

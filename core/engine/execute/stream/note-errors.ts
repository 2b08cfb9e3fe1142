import { SvcError } from '../../../base/errors/svc-error.ts'

/** Most errors of a stream. */
const MOST_ERRORS = 100

/**
 * Adds errors of fields that became null to the errors of a stream.
 * @param isLost the null propagated beyond the row
 * @throws SvcError that ends the stream, when a row is lost or there are too many errors
 */
export function noteErrors(errors: SvcError[], found: readonly SvcError[], isLost: boolean): void {
  if (isLost) throw found.at(-1) ?? new SvcError('INTERNAL_SERVER_ERROR', 'A row is null where none may be.')
  errors.push(...found)
  if (errors.length > MOST_ERRORS) throw errors.pop()
}

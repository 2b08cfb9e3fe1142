import { SvcError } from '../../../base/errors/svc-error.ts'

/** Most errors of a stream. */
const MOST_ERRORS = 100

/**
 * Adds the errors of one row to the errors of its stream.
 * @param errors errors of the stream so far; the function adds to the list
 * @param found errors of the row
 * @param isLost `true`: a null in a non-null field made the whole row null
 * @throws SvcError that ends the stream, if a row is lost, or after 100 errors
 */
export function noteErrors(errors: SvcError[], found: readonly SvcError[], isLost: boolean): void {
  if (isLost) throw found.at(-1) ?? new SvcError('INTERNAL_SERVER_ERROR', 'A row is null where none may be.')
  errors.push(...found)
  if (errors.length > MOST_ERRORS) throw errors.pop()
}

import { SvcError } from '../../errors/svc-error.ts'

/** More places that are null instead of a value make a stream that nobody wants. */
const MOST_ERRORS = 100

/**
 * Takes errors of places that became null.
 * @param isLost did the null climb out of the row?
 * @throws SvcError that ends the stream
 */
export function noteErrors(errors: SvcError[], found: readonly SvcError[], isLost: boolean): void {
  if (isLost) throw found.at(-1) ?? new SvcError('INTERNAL_SERVER_ERROR', 'A row is null where none may be.')
  errors.push(...found)
  if (errors.length > MOST_ERRORS) throw errors.pop()
}

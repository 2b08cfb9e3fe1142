import { SvcError } from '../../../base/errors/svc-error.ts'
import type { FinishedRead } from '../../../contract/prepared-read.ts'
import { ERRORS } from '../../standard/errors.ts'

/** SQLSTATEs of PostgreSQL for an invalid full-text query: syntax, invalid distance, a word or query that is too long. */
const TSQUERY_FAULTS: ReadonlySet<unknown> = new Set(['42601', '22023', '54000', 'XX000'])

/** SQLSTATEs of ltree for an invalid path: syntax, a label that is too long, too many labels. */
const PATH_FAULTS: ReadonlySet<unknown> = new Set(['42601', '42622', '22023', '54000'])

/**
 * Converts a PostgreSQL error of a read to an error for the client: a list longer than `svc.max_rows`, or a full-text
 * query, ltree path or regular expression that PostgreSQL rejects.
 * @param read the statement that failed, with the paths of its limited lists
 * @returns `null` for any other error (`fromDatabaseError` converts it)
 */
export function readGuardError(error: unknown, read: Pick<FinishedRead, 'guards'>): SvcError | null {
  const known = ERRORS.readGuard(error, read)
  if (known !== null || !(error instanceof Error)) return known
  const { message, code } = error as Error & { readonly code?: unknown }
  if (code === '54000' && /tsvector/.test(message)) {
    const fault =
      'A text that would be searched has more words than a full-text search takes. Search others, or give the view a column of type tsvector that holds the words that count.'
    return new SvcError('VALIDATION_ERROR', fault, { cause: error })
  }
  if (TSQUERY_FAULTS.has(code) && /tsquery|phrase operator/.test(message)) {
    const fault = 'The operand is not a full-text query that the database can read. Try _websearch_query.'
    return new SvcError('BAD_USER_INPUT', fault, { cause: error })
  }
  if (PATH_FAULTS.has(code) && /ltree|lquery|ltxtquery|label string/.test(message)) {
    const fault = 'The operand is no path, or no pattern of paths, that the database can read.'
    return new SvcError('BAD_USER_INPUT', fault, { cause: error })
  }
  return null
}

import { SvcError } from '../../../base/errors/svc-error.ts'
import type { FinishedRead } from '../../../contract/prepared-read.ts'

/**
 * Start of the text with which a read fails on purpose if a list exceeds `svc.max_rows`. The index of the list in the
 * plan follows: `svc:max_rows:<index>:`.
 */
export const GUARD_MARK = 'svc:max_rows:'

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
  if (!(error instanceof Error)) return null
  const { message, code } = error as Error & { readonly code?: unknown }
  const mark = message.indexOf(GUARD_MARK)
  if (mark !== -1) {
    const guard = read.guards[Number.parseInt(message.slice(mark + GUARD_MARK.length), 10)]
    if (guard === undefined) return null
    const list = guard.path.join('.')
    return new SvcError('VALIDATION_ERROR', `"${list}" has more rows than a list may have. Pass a limit.`, {
      path: guard.path.slice(0, 1),
      details: { list },
      cause: error,
    })
  }
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
  if (code === '2201B') {
    return new SvcError('BAD_USER_INPUT', 'The operand is not a regular expression that the database can read.', {
      cause: error,
    })
  }
  return null
}

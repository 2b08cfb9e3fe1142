import { fromDatabaseError, fromStoredData } from '../../base/errors/from-database.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { DialectErrors } from '../../contract/dialect.ts'

/** Start of the text with which a read fails on purpose if a list exceeds `svc.max_rows`. The index of the list follows. */
export const GUARD_MARK = 'svc:max_rows:'

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null | undefined)?.code
}

/** How errors are interpreted unless a dialect says otherwise: by their SQLSTATE in `code`, and by svc's own marks. */
export const ERRORS: DialectErrors = {
  read: fromDatabaseError,
  // Without a field that is read by a cast, the invalid value is one of the request.
  readStored: (error, source, fields) => (fields.length === 0 ? null : fromStoredData(error, source, fields)),
  readGuard(error, read) {
    if (!(error instanceof Error)) return null
    const mark = error.message.indexOf(GUARD_MARK)
    if (mark === -1) {
      if (codeOf(error) !== '2201B') return null
      const message = 'The operand is not a regular expression that the database can read.'
      return new SvcError('BAD_USER_INPUT', message, { cause: error })
    }
    const guard = read.guards[Number.parseInt(error.message.slice(mark + GUARD_MARK.length), 10)]
    if (guard === undefined) return null
    const list = guard.path.join('.')
    return new SvcError('VALIDATION_ERROR', `"${list}" has more rows than a list may have. Pass a limit.`, {
      path: guard.path.slice(0, 1),
      details: { list },
      cause: error,
    })
  },
  writeFault: () => null,
  isTransient: (error) => codeOf(error) === '40001' || codeOf(error) === '40P01',
  isRaised: (error) => codeOf(error) === 'P0001',
  missingRelation: () => null,
}

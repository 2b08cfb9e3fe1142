import {
  type DialectErrors,
  type FinishedRead,
  fromDatabaseError,
  fromStoredData,
  ResultFault,
} from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { SqliteError } from './sqlite-error.ts'

/**
 * Start of the error text with which a SQLite statement reports an exceeded row limit. The index of the limit follows.
 */
export const GUARD_MARK = 'svc:max_rows:'

/** Converts errors of SQLite to svc's errors, by the SQLSTATE that `readFailure` assigns. */
export const ERRORS: DialectErrors = {
  read: fromDatabaseError,
  readStored: fromStoredData,
  readGuard,
  writeFault: (error) => (error instanceof ResultFault ? error.found : null),
  // A writing transaction takes the lock at its beginning, so that two of them cannot conflict later.
  isTransient: () => false,
  isRaised: (error) => error instanceof SqliteError && error.code === 'P0001',
  missingRelation(error) {
    if (!(error instanceof SqliteError) || error.code !== '42P01') return null
    return /: (?:[^.]*\.)?(.+)$/.exec(error.message)?.[1] ?? null
  },
}

function readGuard(error: unknown, read: Pick<FinishedRead, 'guards'>): SvcError | null {
  if (!(error instanceof SqliteError)) return null
  const mark = error.message.indexOf(GUARD_MARK)
  if (mark !== -1) {
    const guard = read.guards[Number.parseInt(error.message.slice(mark + GUARD_MARK.length), 10)]
    if (guard === undefined) return null
    const list = guard.path.join('.')
    return new SvcError('VALIDATION_ERROR', `"${list}" has more rows than a list may have. Pass a limit.`, {
      path: guard.path.slice(0, 1),
      details: { list },
      cause: error,
    })
  }
  if (error.message.includes('svc:cursor')) {
    return new SvcError('BAD_USER_INPUT', 'This is no cursor of this list. Start again from the first page.', {
      cause: error,
    })
  }
  if (error.message.includes('svc:operand')) {
    return new SvcError('BAD_USER_INPUT', 'SQLite compares days and times of the years 1 to 9999, and "infinity".', {
      cause: error,
    })
  }
  if (error.code === '54000') {
    return new SvcError('VALIDATION_ERROR', 'This is nested deeper than SQLite takes a statement. Ask in parts.', {
      cause: error,
    })
  }
  if (error.code !== '2201B') return null
  return new SvcError('BAD_USER_INPUT', 'The operand is not a regular expression that the database can read.', {
    cause: error,
  })
}

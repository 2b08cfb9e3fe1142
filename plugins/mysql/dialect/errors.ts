import {
  type DialectErrors,
  type FinishedRead,
  fromDatabaseError,
  fromStoredData,
  ResultFault,
} from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { MysqlError } from './mysql-error.ts'

/** Start of the text with which a statement reports an exceeded row limit. The index of the limit follows. */
export const GUARD_MARK = 'svc:max_rows:'

const DEADLOCKS: ReadonlySet<number> = new Set([1213, 1020])
/** The statement has more nested queries (1473) or joined tables (1116) than the server takes, or exceeds its stack (1436). */
const TOO_DEEP: ReadonlySet<number> = new Set([1116, 1436, 1473])

/** Converts errors of MariaDB and MySQL to svc's errors, by the SQLSTATE that the driver assigns. */
export const ERRORS: DialectErrors = {
  read: fromDatabaseError,
  readStored: fromStoredData,
  readGuard,
  writeFault: (error) => (error instanceof ResultFault ? error.found : null),
  isTransient: (error) => error instanceof MysqlError && DEADLOCKS.has(error.errno),
  isRaised: (error) => error instanceof MysqlError && error.routine !== undefined,
  /** `Table 'shop.v_post' doesn't exist` */
  missingRelation(error) {
    if (!(error instanceof MysqlError) || error.code !== '42P01') return null
    return /'(?:[^'.]*\.)?([^']+)'/.exec(error.message)?.[1] ?? null
  },
}

function readGuard(error: unknown, read: Pick<FinishedRead, 'guards'>): SvcError | null {
  if (!(error instanceof MysqlError)) return null
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
  if (TOO_DEEP.has(error.errno)) {
    return new SvcError(
      'VALIDATION_ERROR',
      'This is nested deeper than the database takes a statement. Ask in parts.',
      {
        cause: error,
      },
    )
  }
  if (error.code !== '2201B') return null
  return new SvcError('BAD_USER_INPUT', 'The operand is not a regular expression that the database can read.', {
    cause: error,
  })
}

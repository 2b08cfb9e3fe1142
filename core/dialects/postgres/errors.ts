import { fromDatabaseError, fromStoredData } from '../../base/errors/from-database.ts'
import type { DialectErrors } from '../../contract/dialect.ts'
import { readFault } from './mutation/fault.ts'
import { readGuardError } from './read-guard-error.ts'

interface PostgresError {
  readonly code?: unknown
  readonly message?: unknown
  readonly routine?: unknown
  readonly table?: unknown
}

/** What PostgreSQL's errors mean. */
export const ERRORS: DialectErrors = {
  read: fromDatabaseError,
  readStored: fromStoredData,
  readGuard: readGuardError,
  writeFault: readFault,
  isTransient(error) {
    const code = (error as PostgresError | null)?.code
    return code === '40001' || code === '40P01'
  },
  isRaised: (error) => (error as PostgresError | null | undefined)?.routine === 'exec_stmt_raise',
  /** `relation "v_post" does not exist` */
  missingRelation(error) {
    if ((error as PostgresError | null)?.code !== '42P01') return null
    const names = /"([^"]+)"/.exec(String((error as PostgresError).message))?.[1]?.split('.')
    return names?.at(-1) ?? null
  },
  refusingTable(error) {
    const { table } = (error ?? {}) as PostgresError
    return typeof table === 'string' ? table : null
  },
}

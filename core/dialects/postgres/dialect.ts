import { fromDatabaseError, fromStoredData } from '../../base/errors/from-database.ts'
import type { DialectErrors, SampledSource } from '../../contract/dialect.ts'
import type { Statement } from '../../contract/statement.ts'
import { identifier, integer, qualified, render, sql } from '../../engine/sql/fragment.ts'
import { defineDialect } from '../walker/define-dialect.ts'
import { describeCall } from './mutation/describe.ts'
import { readFault } from './mutation/fault.ts'
import { storedRowById } from './mutation/stored-row.ts'
import { writeMutation } from './mutation/write.ts'
import { packRead } from './packed/packed-root.ts'
import { isReadByCast } from './primitives/leaf.ts'
import { PRIMITIVES } from './primitives/primitives.ts'
import { readGuardError } from './primitives/read-guard-error.ts'
import { RESTORE_PATH, TAKE_ROLE } from './session.ts'

interface PostgresError {
  readonly code?: unknown
  readonly message?: unknown
  readonly routine?: unknown
  readonly table?: unknown
}

/** Translates errors of PostgreSQL. */
const ERRORS: DialectErrors = {
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

const REPLACEABLE = /^CREATE\s+(?=(?:VIEW|FUNCTION|PROCEDURE|TRIGGER)\b)/i

/** The dialect that writes the SQL of PostgreSQL and translates its errors. All drivers for PostgreSQL use it. */
export const POSTGRES = defineDialect({
  name: 'postgres',
  hasRoles: true,
  takeRole: TAKE_ROLE,
  restorePath: RESTORE_PATH,
  primitives: PRIMITIVES,
  pack: packRead,
  write: writeMutation,
  describeCall,
  replacing: (statement) => [statement.replace(REPLACEABLE, 'CREATE OR REPLACE ')],
  storedRow: storedRowById,
  sampleKeys,
  checkNow: { name: 'svc_check_now', text: 'SET CONSTRAINTS ALL IMMEDIATE' },
  isReadByCast,
  errors: ERRORS,
})

/** Lists the keys of the objects in a column. Values that are not objects have none. */
function sampleKeys({ schema, name }: SampledSource, column: string, rows: number): Statement {
  const some = sql`SELECT ${identifier(column)}::jsonb AS d FROM ${qualified(schema, name)} LIMIT ${integer(rows)}`
  const keys = sql`jsonb_each(CASE WHEN jsonb_typeof(r.d) = 'object' THEN r.d END) k`
  const { text } = render(
    sql`SELECT k.key, jsonb_typeof(k.value), count(*)::text FROM (${some}) r, ${keys} GROUP BY 1, 2 ORDER BY 1, 2`,
    PRIMITIVES.placeholder,
  )
  return { name: null, text, readOnly: true }
}

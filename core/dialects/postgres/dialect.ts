import { defineDialect } from '../define-dialect.ts'
import { ERRORS } from './errors.ts'
import { isReadByCast } from './leaf.ts'
import { describeCall } from './mutation/describe.ts'
import { storedRowById } from './mutation/stored-row.ts'
import { writeMutation } from './mutation/write.ts'
import { packRead } from './packed/packed-root.ts'
import { PRIMITIVES } from './primitives.ts'
import { sampleKeys } from './sample-keys.ts'
import { RESTORE_PATH, TAKE_ROLE } from './session.ts'

const REPLACEABLE = /^CREATE\s+(?=(?:VIEW|FUNCTION|PROCEDURE|TRIGGER)\b)/i

/** The SQL of PostgreSQL, whichever driver speaks it. */
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

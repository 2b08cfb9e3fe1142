import { defineDialect } from '../define-dialect.ts'
import { ERRORS } from './errors.ts'
import { isReadByCast } from './leaf.ts'
import { describeCall } from './mutation/describe.ts'
import { writeMutation } from './mutation/write.ts'
import { packRead } from './packed/packed-root.ts'
import { PRIMITIVES } from './primitives.ts'

/** The SQL of PostgreSQL, whichever driver speaks it. */
export const POSTGRES = defineDialect({
  name: 'postgres',
  primitives: PRIMITIVES,
  pack: packRead,
  write: writeMutation,
  describeCall,
  isReadByCast,
  errors: ERRORS,
})

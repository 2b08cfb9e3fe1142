import { defineDialect } from '../../../core/index.ts'
import { ERRORS } from './errors.ts'
import { isReadByCast } from './leaf.ts'
import { PRIMITIVES } from './primitives.ts'
import { refuseWrite } from './write.ts'

/** The SQL of SQLite. */
export const SQLITE = defineDialect({
  name: 'sqlite',
  primitives: PRIMITIVES,
  write: refuseWrite,
  describeCall: () => null,
  isReadByCast,
  errors: ERRORS,
})

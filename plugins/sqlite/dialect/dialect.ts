import { defineDialect } from '../../../core/index.ts'
import { ERRORS } from './errors.ts'
import { isReadByCast } from './leaf.ts'
import { PRIMITIVES } from './primitives.ts'
import { WRITES, writeCall } from './write.ts'

/** The SQL of SQLite. */
export const SQLITE = defineDialect({
  name: 'sqlite',
  primitives: PRIMITIVES,
  write: writeCall,
  writes: WRITES,
  describeCall: () => null,
  isReadByCast,
  errors: ERRORS,
})

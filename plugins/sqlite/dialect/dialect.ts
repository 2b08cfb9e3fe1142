import { defineDialect } from '../../../core/doors/driver.ts'
import { ERRORS } from './errors.ts'
import { isReadByCast } from './leaf.ts'
import { PRIMITIVES } from './primitives.ts'
import { sampleKeys } from './sample-keys.ts'
import { TIMES, writeCall } from './write.ts'

const REPLACEABLE = /^CREATE\s+(VIEW|TRIGGER)\s+((?:\w+|"(?:[^"]|"")*")(?:\s*\.\s*(?:\w+|"(?:[^"]|"")*"))?)/i

/** There is no CREATE OR REPLACE. */
function replacing(statement: string): readonly string[] {
  const [, kind, name] = REPLACEABLE.exec(statement) ?? []
  return name === undefined || /^IF$/i.test(name) ? [statement] : [`DROP ${kind} IF EXISTS ${name}`, statement]
}

/** The SQL of SQLite. */
export const SQLITE = defineDialect({
  name: 'sqlite',
  primitives: PRIMITIVES,
  times: TIMES,
  cursorTypes: new Set(['int8', 'text', 'uuid']),
  write: writeCall,
  describeCall: null,
  replacing,
  sampleKeys,
  // Without rules a row is shown as its document has it, with all the digits of its numbers.
  readsDocuments: ({ columns }, isNeeded) => isNeeded && columns.length > 0,
  isReadByCast,
  errors: ERRORS,
})

import type { FoundFault, WriteFault } from '../../../contract/prepared-write.ts'
import { escapedLiteral as literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'

/**
 * Writes an expression of type text that raises an error when it is evaluated: it casts the text of the fault to an integer.
 * @param detail depends on a row, so that the planner cannot evaluate the expression in advance
 */
export function raiseFault(fault: WriteFault, detail: SqlFragment): SqlFragment {
  return sql`CAST(${literal(`svc:${fault}:`)} || left(coalesce(${detail}, 'NULL'), 100) || ':' AS integer)::text`
}

/**
 * Reads a fault that the statement of a write raised itself.
 * @returns `null` for every other error. Errors from inside a function have `where`, so a text from a client cannot be mistaken for a
 *   fault
 */
export function readFault(error: unknown): FoundFault | null {
  if (!(error instanceof Error) || ('where' in error && error.where !== undefined)) return null
  const found = /svc:(entity-incomplete|unknown-status|unknown-type|nothing-found):(.*):/s.exec(error.message)
  return found === null ? null : { fault: found[1] as WriteFault, detail: found[2]! }
}

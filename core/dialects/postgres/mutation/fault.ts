import type { FoundFault, WriteFault } from '../../../contract/prepared-write.ts'
import { escapedLiteral as literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'

/**
 * Writes a SQL expression that makes the statement of a mutation fail, so that PostgreSQL undoes the write. Its type is
 * text. It raises the error by casting a text with the name of the fault to an integer.
 * @param detail text for the message. The text must depend on a row, so that the planner cannot evaluate the expression
 * in advance
 */
export function raiseFault(fault: WriteFault, detail: SqlFragment): SqlFragment {
  return sql`CAST(${literal(`svc:${fault}:`)} || left(coalesce(${detail}, 'NULL'), 100) || ':' AS integer)::text`
}

/**
 * Recognises the error of an expression from {@link raiseFault}, and returns its fault and detail.
 * @returns `null` for any other error. Errors from inside a function have `where`, so that a client's text cannot
 * imitate a fault
 */
export function readFault(error: unknown): FoundFault | null {
  if (!(error instanceof Error) || ('where' in error && error.where !== undefined)) return null
  const found = /svc:(entity-incomplete|unknown-status|unknown-type|nothing-found):(.*):/s.exec(error.message)
  return found === null ? null : { fault: found[1] as WriteFault, detail: found[2]! }
}

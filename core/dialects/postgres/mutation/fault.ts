import type { FoundFault, WriteFault } from '../../../contract/prepared-write.ts'
import { escapedLiteral as literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'

/**
 * An expression of type text that raises when it is evaluated: the text is no integer.
 * @param detail depends on a row, so that the expression is never folded
 */
export function raiseFault(fault: WriteFault, detail: SqlFragment): SqlFragment {
  return sql`CAST(${literal(`svc:${fault}:`)} || left(coalesce(${detail}, 'NULL'), 100) || ':' AS integer)::text`
}

/**
 * Reads a fault that the statement of a write raised itself.
 * @returns `null` for every other error. An error inside a function has `where`, so that a text which a client sent
 * cannot look like such a fault
 */
export function readFault(error: unknown): FoundFault | null {
  if (!(error instanceof Error) || ('where' in error && error.where !== undefined)) return null
  const found = /svc:(entity-incomplete|unknown-status|unknown-type|nothing-found):(.*):/s.exec(error.message)
  return found === null ? null : { fault: found[1] as WriteFault, detail: found[2]! }
}

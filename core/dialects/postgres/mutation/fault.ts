import { literal, type SqlFragment, sql } from '../../../sql/fragment.ts'

/**
 * Faults that the statement of a write finds in its own result. It raises, so that the database undoes the write, and
 * the text of the error names the fault:
 * - `entity-incomplete`: the entity lacks what was selected; in a transaction it can be read from its source
 * - `unknown-status`: the status is none (behaviours 5.1)
 * - `unknown-type`: the entity is of no type that the result may have
 */
export type WriteFault = 'entity-incomplete' | 'unknown-status' | 'unknown-type'

/**
 * An expression of type text that raises when it is evaluated: the text is no integer.
 * @param detail depends on a row, so that the expression is never folded
 */
export function raiseFault(fault: WriteFault, detail: SqlFragment): SqlFragment {
  return sql`CAST(${literal(`svc:${fault}:`)} || left(coalesce(${detail}, 'NULL'), 100) || ':' AS integer)::text`
}

/** @returns `null` when the error of the database is none of these */
export function readFault(error: unknown): { readonly fault: WriteFault; readonly detail: string } | null {
  if (!(error instanceof Error)) return null
  const found = /svc:(entity-incomplete|unknown-status|unknown-type):(.*):/s.exec(error.message)
  return found === null ? null : { fault: found[1] as WriteFault, detail: found[2]! }
}

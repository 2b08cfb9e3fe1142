import type { Condition } from '../../contract/plan/condition.ts'
import type { Emission } from './emission.ts'

/**
 * Most relations in the conditions of rows, nested ones included. With more, each relation is fenced: a further one can
 * double the planning time (decision 0082).
 */
const MOST_JOINED = 4

/**
 * Writes the conditions of open rows. PostgreSQL joins the subqueries of conditions on related rows with the outer
 * statement, which runs fast. With many of them, planning is slow: it orders hundreds of tables, and plans subqueries
 * that it cannot join twice per level. Therefore many are fenced, from the outside in, until few are left.
 */
export function fenceRelations<T>(emission: Emission, conditions: readonly (Condition | null)[], write: () => T): T {
  const outer = emission.fencing
  emission.fencing = relationsIn(conditions) > MOST_JOINED
  const written = write()
  emission.fencing = outer
  return written
}

function relationsIn(conditions: readonly (Condition | null)[]): number {
  return conditions.reduce((sum, condition) => sum + relationsOf(condition), 0)
}

function relationsOf(condition: Condition | null): number {
  switch (condition?.kind) {
    case 'all':
    case 'group':
    case 'quantifiers':
      return relationsIn(condition.conditions)
    case 'not':
      return relationsOf(condition.condition)
    case 'exists': {
      const { over } = condition
      const below = relationsOf(condition.condition)
      return over.kind === 'rows' ? 1 + relationsIn(over.rules) + below : below
    }
    default:
      return 0
  }
}

import type { Condition } from '../../contract/plan/condition.ts'
import type { Emission } from './emission.ts'

/**
 * Limit of relations in the conditions of rows, nested ones included. With more, every relation is fenced, because each further one can
 * double the planning time (decision 0082).
 */
const MOST_JOINED = 4

/**
 * Writes the conditions of open rows. PostgreSQL merges the subqueries of conditions on related rows with the outer statement, which
 * makes the execution fast. With many of them, planning becomes slow: it orders hundreds of tables, and plans subqueries that it cannot
 * merge twice per level. Therefore they are fenced from the outside in, until few are left.
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

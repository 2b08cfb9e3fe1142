import type { Condition } from '../../contract/plan/condition.ts'
import type { Emission } from './emission.ts'

/**
 * Limit of relations in the conditions of rows, nested ones included. With more, every relation is fenced, because each further one can
 * double the planning time (decision 0082).
 */
const MOST_JOINED = 4

/**
 * Calls `write`, which writes the conditions, and, if they have more than four subqueries on related rows, puts a fence
 * (`OFFSET 0`) into each of these. PostgreSQL merges subqueries without a fence into the statement, which makes
 * execution fast, but makes planning slow if there are many.
 */
export function fenceRelations<T>(emission: Emission, conditions: readonly (Condition | null)[], write: () => T): T {
  const outer = emission.fencing
  emission.fencing = relationsIn(conditions) > MOST_JOINED
  const written = write()
  emission.fencing = outer
  return written
}

function relationsIn(conditions: readonly (Condition | null)[]): number {
  let sum = 0
  for (const condition of conditions) sum += relationsOf(condition)
  return sum
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
      if (over.kind !== 'rows') return below
      const { through } = over.tie
      const join = through === undefined ? 0 : 1 + relationsIn(through.rules)
      return 1 + join + relationsIn(over.rules) + below
    }
    default:
      return 0
  }
}

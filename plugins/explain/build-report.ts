import type { Explanation } from '../../core/doors/front.ts'
import type { Operation } from '../../core/doors/plugin.ts'
import type { Complexity, Report } from './api.ts'
import { listUnbounded } from './list-unbounded.ts'
import { listWarnings } from './list-warnings.ts'
import { readPlan } from './read-plan.ts'

/**
 * @param given the request as it was asked about
 * @param maxRows `svc.max_rows`
 */
export function buildReport(
  given: string,
  operation: Operation,
  { kind, plan, sources, statements }: Explanation,
  complexity: Complexity,
  maxRows: number,
): Report {
  const asked = statements.flatMap(({ database }) => (database === null ? [] : [JSON.parse(database) as unknown]))
  const facts = asked.map(readPlan)
  const costs = facts.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const texts = statements.map(({ sql }) => sql)
  return {
    query: given,
    sql: texts.join(';\n'),
    generated_sql: texts,
    parameters: statements.map(({ parameters }) => parameters),
    views_accessed: sources,
    query_type: kind,
    complexity,
    estimated_cost: costs.length === 0 ? complexity.complexity : costs.reduce((sum, cost) => sum + cost, 0),
    warnings: listWarnings(listUnbounded(operation), facts, maxRows),
    plan,
    ...(asked.length === 0 ? {} : { database_plan: asked }),
  }
}

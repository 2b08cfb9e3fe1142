import type { Explanation, Operation } from '../../core/index.ts'
import type { Complexity, Report } from './api.ts'
import { complexityOf, type Weights } from './complexity-of.ts'
import { listWarnings } from './list-warnings.ts'
import { readPlan } from './read-plan.ts'
import { walkOperation } from './walk-operation.ts'

export interface ReportSettings {
  readonly weights: Weights
  /** `svc.max_rows` */
  readonly maxRows: number
}

export function measure(operation: Operation, { weights }: ReportSettings): Complexity {
  return complexityOf(walkOperation(operation), weights)
}

/** @param given the request as it was asked about */
export function buildReport(
  given: string,
  operation: Operation,
  { kind, plan, sources, statements }: Explanation,
  { weights, maxRows }: ReportSettings,
): Report {
  const places = walkOperation(operation)
  const complexity = complexityOf(places, weights)
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
    warnings: listWarnings(places, facts, maxRows),
    plan,
    ...(asked.length === 0 ? {} : { database_plan: asked }),
  }
}

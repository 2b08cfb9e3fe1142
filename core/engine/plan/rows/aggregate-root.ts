import type { AggregateRoot } from '../../../contract/operation.ts'
import type { Aggregate } from '../../../contract/plan/read-plan.ts'
import { below, type PlanContext } from '../context/plan-context.ts'
import { planAggregate } from './aggregate.ts'
import { openQueryRows, queryConditions } from './query-rows.ts'

/**
 * Plans the aggregate of a list query as a root field. Access rules and filters of the list apply to its rows. @throws
 * SvcError as {@link planAggregate}
 */
export function planAggregateRoot(context: PlanContext, root: AggregateRoot): Aggregate {
  const at = below(context, root.responseKey)
  const { operation: query } = root
  const { row, rules } = openQueryRows(at, query)
  const from = { row, rules, ...queryConditions(at, query, root.arguments, row) }
  return planAggregate(at, root, query.named, from, null)
}

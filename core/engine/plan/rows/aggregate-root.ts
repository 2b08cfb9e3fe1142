import type { AggregateRoot } from '../../../contract/operation.ts'
import type { Aggregate } from '../../../contract/plan/read-plan.ts'
import { below, type PlanContext } from '../context/plan-context.ts'
import { planAggregate } from './aggregate.ts'
import { openQueryRows, queryConditions } from './query-rows.ts'

/** Plans aggregates over the rows of a list query, with the rules and filters of the list. @throws SvcError as {@link planAggregate} */
export function planAggregateRoot(context: PlanContext, root: AggregateRoot): Aggregate {
  const at = below(context, root.responseKey)
  const { operation: query } = root
  const { row, rules } = openQueryRows(at, query)
  const from = { row, rules, ...queryConditions(at, query, root.arguments, row) }
  return planAggregate(at, root, query.named, from, null)
}

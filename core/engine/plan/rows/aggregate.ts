import { didYouMean, listNames } from '../../../base/util/nearest.ts'
import type { AggregateField, AggregateOf, GroupedBy, ValueNode } from '../../../contract/operation.ts'
import type { Tie } from '../../../contract/plan/condition.ts'
import type { Aggregate, AggregateMember, CountOf } from '../../../contract/plan/read-plan.ts'
import { type Aggregates, aggregatesOf } from '../../../schema/aggregates-of.ts'
import { groupedBy } from '../../../schema/group-keys.ts'
import type { NamedType } from '../../../schema/model.ts'
import { boundGroupKeys } from '../context/limits.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { argumentValue, valueOfNode } from '../context/plan-value.ts'
import { AggregateColumns } from './aggregate-columns.ts'
import { planGroupOrder } from './group-order.ts'
import { planHaving } from './having.ts'
import { planPage, WHOLE } from './page.ts'

/**
 * Plans an aggregate: the columns to compute over rows, and the conditions, order and page of its groups.
 * @param asked the selected aggregate
 * @param named type of the rows
 * @param from the rows, with their conditions
 * @param tie joins the rows to the parent row; `null`: the aggregate is a root field
 * @throws SvcError VALIDATION_ERROR for an aggregate that the schema does not offer, BAD_USER_INPUT for an invalid
 * operand
 */
export function planAggregate(
  context: PlanContext,
  asked: AggregateOf,
  named: NamedType,
  from: CountOf,
  tie: Tie | null,
): Aggregate {
  const columns = new AggregateColumns(context, from.row, named)
  const offered = named.kind === 'object' || named.kind === 'interface' ? aggregatesOf(named) : NOTHING
  const grouped = asked.groupBy !== null
  const fields = asked.groupBy === null ? [] : groupFields(context, asked.groupBy, offered, columns)
  const keys = fields.map((by) => ('period' in by ? columns.key(by.field, by.period) : columns.key(by, null)))
  const members = asked.fields.map((field) => planMember(columns, field))
  const wire = (name: string) => argumentValue(asked.arguments, name, context.variables)
  const having = planHaving(context, columns, offered, asked.having, wire('having'))
  const order = [...planGroupOrder(context, columns, offered, asked.orderBy, wire('orderBy'))]
  for (const column of keys) {
    if (!order.some((term) => term.column === column)) order.push({ column, direction: 'ASC' })
  }
  // Without groups the result is one object. A statement needs a column, so that rows are counted if no function is selected.
  if (columns.all.length === 0) columns.measure({ function: 'count', field: null })
  const page = grouped ? planPage(context, asked.arguments) : WHOLE
  context.counts.nodes += columns.all.length
  return { kind: 'aggregate', from, tie, columns: columns.all, grouped, members, having, order, page }
}

const NOTHING: Aggregates = { keys: new Map(), measures: new Map() }

/** Reads the keys to group by, from the document or from variables. */
function groupFields(
  context: PlanContext,
  groupBy: readonly GroupedBy[] | ValueNode,
  { keys }: Aggregates,
  columns: AggregateColumns,
): readonly GroupedBy[] {
  if (!isNode(groupBy)) {
    boundGroupKeys(context, groupBy.length)
    return groupBy
  }
  const { sample } = valueOfNode(groupBy, context.variables)
  const names: readonly unknown[] = Array.isArray(sample) ? sample : [sample]
  boundGroupKeys(context, names.length)
  if (names.length === 0) throw inputError(context, 'groupBy', 'groups are made by one field at least.')
  return names.map((name, index) => {
    const key = typeof name === 'string' ? keys.get(name) : undefined
    if (key === undefined) {
      const hint = `${didYouMean(String(name), keys.keys())} Groups can be made by ${listNames(keys.keys())}.`
      throw inputError(context, `groupBy[${index}]`, `there are no groups by "${String(name)}".${hint}`)
    }
    columns.refuseClosed(key.field, 'groupBy')
    return groupedBy(key)
  })
}

function isNode(groupBy: readonly GroupedBy[] | ValueNode): groupBy is ValueNode {
  return !Array.isArray(groupBy)
}

function planMember(columns: AggregateColumns, field: AggregateField): AggregateMember {
  const key = field.responseKey
  switch (field.kind) {
    case 'typename':
      return { key, kind: 'typename', name: field.typeName }
    case 'key':
      return { key, kind: 'column', column: columns.knownKey(field.field, field.period ?? null) }
    case 'measure':
      return { key, kind: 'column', column: columns.measure(field) }
    case 'denied':
      return { key, kind: 'denied' }
    case 'object':
      return { key, kind: 'object', members: field.fields.map((inner) => planMember(columns, inner)) }
  }
}

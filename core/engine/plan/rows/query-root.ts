import type { QueryRoot, WrapperSelection } from '../../../contract/operation.ts'
import type { Counted, CountedMember, Page, RootValue, Rows } from '../../../contract/plan/read-plan.ts'
import { searchOrder } from '../conditions/search.ts'
import { below, type PlanContext } from '../context/plan-context.ts'
import { argumentValue } from '../context/plan-value.ts'
import { planConnection } from './connection.ts'
import { planOrder } from './order.ts'
import { isNothing, ONE_ROW, planPage } from './page.ts'
import { openQueryRows, planCountOf, queryConditions, rankedConditions } from './query-rows.ts'
import { planShape, requireSelection } from './selection.ts'

/** Plans a root field of a query: a single object, a list, a `{Type}List` or a connection. */
export function planQueryRoot(context: PlanContext, root: QueryRoot): RootValue {
  const { operation: query, selection } = root
  const at = below(context, root.responseKey)
  if (selection?.kind === 'connection') return planConnection(at, query, root.arguments, selection)
  if (selection?.kind === 'list') return planCounted(at, root, selection)
  if (query.list) return { kind: 'list', rows: planRows(at, root, root) }
  const { row, rules } = openQueryRows(at, query)
  const object = planShape(at, requireSelection(selection), row, query.typeColumn)
  const conditions = queryConditions(at, query, root.arguments, row)
  const rows = { row, object, tie: null, rules, ...conditions, order: [], page: ONE_ROW }
  return { kind: 'single', rows, nullable: query.type.nullable }
}

/**
 * Plans the rows of a list query with their selection, conditions, order and page.
 * @param of holder of the rows' selection: the root field, or `items` of a `{Type}List`
 * @param page limit and offset; default: those of the arguments
 */
export function planRows(
  context: PlanContext,
  root: QueryRoot,
  of: { readonly selection: QueryRoot['selection'] },
  page: Page = planPage(context, root.arguments, root.lookAhead === true ? 1 : 0),
): Rows {
  const query = root.operation
  const { row, rules } = openQueryRows(context, query)
  const object = planShape(context, requireSelection(of.selection), row, query.typeColumn)
  const { where, filter, ranks } = rankedConditions(context, query, root.arguments, row)
  const filterable = query.named.kind === 'object' || query.named.kind === 'interface' ? query.named : null
  const orderBy = argumentValue(root.arguments, 'orderBy', context.variables)
  const sorted = planOrder(context, filterable, row, orderBy, 'orderBy')
  const found = isNothing(orderBy) ? searchOrder(context, query, root.arguments, row) : null
  const byMatch = found === null ? ranks : [found, ...ranks]
  const order = isNothing(orderBy) ? [...byMatch, ...sorted] : sorted
  return { row, object, tie: null, rules, where, filter, order, page }
}

function planCounted(context: PlanContext, root: QueryRoot, selection: WrapperSelection): Counted {
  const members = selection.fields.map((field): CountedMember => {
    const key = field.responseKey
    if (field.field === 'items') return { key, kind: 'items', rows: planRows(below(context, key), root, field) }
    if (field.field === 'totalCount') return { key, kind: 'total', of: planCountOf(context, root) }
    return { key, kind: 'typename', name: selection.typeName }
  })
  return { kind: 'counted', members }
}

import type { QueryRoot } from '../../../contract/operation.ts'
import type { CountOf } from '../../../contract/plan/read-plan.ts'
import type { OutputComposite, QueryModel } from '../../../schema/model.ts'
import type { PlanContext } from '../context/plan-context.ts'
import { type OpenedRows, openRows } from '../sources/open-rows.ts'
import { queryConditions } from './query-conditions.ts'

/** Opens the rows of a query's source. The JSON column is that of the query, else that of the type. */
export function openQueryRows(context: PlanContext, query: QueryModel): OpenedRows {
  const typeDocument = query.named.kind === 'object' ? query.named.document : null
  const of = { named: rowsOfQuery(query), typeColumn: query.typeColumn }
  return openRows(context, of, query.source, query.document ?? typeDocument ?? documentColumn(query), query)
}

/** @throws Error for a query whose result has no rows; the compiler rejects such queries */
function rowsOfQuery({ named, wireName }: QueryModel): OutputComposite {
  if (named.kind === 'object' || named.kind === 'interface' || named.kind === 'union') return named
  throw new Error(`${wireName} returns ${named.name}, which has no rows`)
}

/** Returns the JSON column. Interfaces and unions declare none: it is `data` if the source has such a column. */
function documentColumn(query: QueryModel): string | null {
  const column = query.source.columns.find(({ name }) => name === 'data')
  return query.named.kind !== 'object' && column !== undefined && /^jsonb?$/.test(column.type) ? 'data' : null
}

/** Plans the count of all rows of a query, without its page. */
export function planCountOf(context: PlanContext, root: Pick<QueryRoot, 'operation' | 'arguments'>): CountOf {
  const { row, rules } = openQueryRows(context, root.operation)
  return { row, rules, ...queryConditions(context, root.operation, root.arguments, row) }
}

import { listText, objectText } from '../dialects/postgres/json-text.ts'
import type { QueryRoot, WrapperSelection } from '../front/operation.ts'
import type { QueryModel } from '../schema/model.ts'
import { type SqlFragment, sql } from '../sql/fragment.ts'
import { connectionText } from './connection.ts'
import { compileOrder } from './order.ts'
import { compilePage } from './page.ts'
import { below, type PlanContext } from './plan-context.ts'
import { argumentValue } from './plan-value.ts'
import { queryConditions } from './query-conditions.ts'
import { openRow, type Row } from './row.ts'
import { rowsFrom, sourceOf, whereOf } from './rows.ts'
import { project, requireSelection, subquery } from './selection.ts'

/** The value of one query root as an expression of type text: its JSON. */
export function queryRootText(context: PlanContext, root: QueryRoot): SqlFragment {
  const { operation: query, selection } = root
  const at = below(context, root.responseKey)
  if (selection?.kind === 'connection') return connectionText(at, query, root.arguments, selection)
  if (selection?.kind === 'list') return countedListText(at, root, selection)
  if (query.list) return rowsText(at, root, root)
  if (!query.type.nullable) context.nulls.add(`"${root.responseKey}":null`)
  return singleText(at, root)
}

/** A query's own row: the document's name is the query's, else the type's. */
export function openQueryRow(context: PlanContext, query: QueryModel): Row {
  const typeDocument = query.named.kind === 'object' ? query.named.document : null
  return openRow(context, query.source, query.document ?? typeDocument ?? documentColumn(query))
}

/** Interfaces and unions have no document name of their own: `data`, where the source has such a column. */
function documentColumn(query: QueryModel): string | null {
  const column = query.source.columns.find(({ name }) => name === 'data')
  return query.named.kind !== 'object' && column !== undefined && /^jsonb?$/.test(column.type) ? 'data' : null
}

function singleText(context: PlanContext, root: QueryRoot): SqlFragment {
  const query = root.operation
  const row = openQueryRow(context, query)
  const projection = project(context, requireSelection(root.selection), row, query.typeColumn)
  const conditions = queryConditions(context, query, root.arguments, row)
  const rows = rowsFrom(row, { conditions, order: null, page: sql` LIMIT 1` })
  return sql`coalesce((SELECT to_json(${projection.value})::text FROM ${subquery(projection, rows)}), 'null')`
}

/** @param of where the selection of the items stands: the root, or `items` of a wrapper */
function rowsText(
  context: PlanContext,
  root: QueryRoot,
  of: { readonly selection: QueryRoot['selection'] },
): SqlFragment {
  const query = root.operation
  const row = openQueryRow(context, query)
  const projection = project(context, requireSelection(of.selection), row, query.typeColumn)
  const conditions = queryConditions(context, query, root.arguments, row)
  const filterable = query.named.kind === 'object' || query.named.kind === 'interface' ? query.named : null
  const orderBy = argumentValue(root.arguments, 'orderBy', context.variables)
  const order = compileOrder(context, filterable, row, orderBy, 'orderBy')
  const page = compilePage(context, root.arguments)
  const rows = rowsFrom(row, { conditions, order, page: page.sql })
  return listText(projection.value, sql` FROM ${subquery(projection, rows)}`, page.guard)
}

/** `{Type}List { items, totalCount }`; each part runs when it is selected. */
function countedListText(context: PlanContext, root: QueryRoot, selection: WrapperSelection): SqlFragment {
  return objectText(
    selection.fields.map((field) => {
      const key = field.responseKey
      if (field.field === 'items') return { key, value: rowsText(below(context, key), root, field) }
      if (field.field === 'totalCount') return { key, value: totalCountText(context, root) }
      return { key, value: JSON.stringify(selection.typeName) }
    }),
  )
}

/** How many rows there are, whatever page was asked for. */
export function totalCountText(context: PlanContext, root: Pick<QueryRoot, 'operation' | 'arguments'>): SqlFragment {
  const row = openQueryRow(context, root.operation)
  const conditions = queryConditions(context, root.operation, root.arguments, row)
  return sql`(SELECT count(*)::text FROM ${sourceOf(row)}${whereOf(conditions)})`
}

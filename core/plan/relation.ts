import type { FieldSelection } from '../front/operation.ts'
import { EMPTY, type SqlFragment, sql } from '../sql/fragment.ts'
import { compileOrder } from './order.ts'
import { compilePage } from './page.ts'
import type { PlanContext } from './plan-context.ts'
import { argumentValue } from './plan-value.ts'
import { type RelationRead, relatedRow } from './related.ts'
import type { Row } from './row.ts'
import { type RowsPlan, rowsFrom } from './rows.ts'
import { objectValue, project, requireSelection, subquery } from './selection.ts'
import { compileWhere } from './where.ts'

/**
 * Rows of another source: one as a scalar subquery, many as an ARRAY of records, both correlated (performance.md: a
 * lateral join is three times slower).
 */
export function relationValue(
  context: PlanContext,
  field: Extract<FieldSelection, { kind: 'field' }>,
  read: RelationRead,
  row: Row,
): SqlFragment {
  const { named } = field.field
  if (named.kind !== 'object' && named.kind !== 'interface' && named.kind !== 'union') {
    throw new Error(`${field.field.name} is no relation to rows`)
  }
  const typeColumn = named.kind === 'object' ? '__typename' : named.typeColumn
  const { target, tie } = relatedRow(context, field.field, read, row)
  const projection = project(context, requireSelection(field.selection), target, typeColumn)
  if (!field.field.list) {
    return objectValue(projection, rowsFrom(target, { conditions: [tie], order: null, page: EMPTY }))
  }
  const filterable = named.kind === 'union' ? null : named
  const where = argumentValue(field.arguments, 'where', context.variables)
  const condition = filterable === null ? null : compileWhere(context, filterable, target, where, 'where')
  const conditions = condition === null ? [tie] : [tie, sql`(${condition})`]
  const orderBy = argumentValue(field.arguments, 'orderBy', context.variables)
  const order = compileOrder(context, filterable, target, orderBy, 'orderBy')
  const page = compilePage(context, field.arguments)
  const rows: RowsPlan = { conditions, order, page: page.sql }
  const select = subquery(projection, rowsFrom(target, rows))
  const { value } = projection
  if (page.guard === null) return sql`ARRAY(SELECT ${value} FROM ${select})`
  return sql`(SELECT coalesce(array_agg(${value}), '{}') FROM ${select}${page.guard})`
}

import type { QueryRoot, Selection, WrapperSelection } from '../../../front/operation.ts'
import { compileOrder } from '../../../plan/order.ts'
import { compilePage } from '../../../plan/page.ts'
import { below, nextAlias, type PlanContext } from '../../../plan/plan-context.ts'
import { argumentValue } from '../../../plan/plan-value.ts'
import { queryConditions } from '../../../plan/query-conditions.ts'
import { openQueryRow, totalCountText } from '../../../plan/query-root.ts'
import type { Row } from '../../../plan/row.ts'
import { rowsFrom } from '../../../plan/rows.ts'
import { EMPTY, sql } from '../../../sql/fragment.ts'
import { compose, jsonColumn, type Packed, packedList, packedSingle } from './packed.ts'
import { packedConnection } from './packed-connection.ts'
import { objectParts, type RowTemplate, rowTemplate } from './packed-row.ts'

/**
 * A query root whose JSON is written here: rows of leaves from native columns.
 * @returns `null` when there is more to it, which the database writes
 */
export function packedRoot(context: PlanContext, root: QueryRoot): Packed | null {
  const { operation: query, selection } = root
  const at = below(context, root.responseKey)
  if (selection?.kind === 'connection') return packedConnection(at, query, root.arguments, selection)
  if (selection?.kind === 'list') return packedWrapper(at, root, selection)
  return query.list ? packedRows(at, root, selection) : packedObject(at, root)
}

function templateOf(selection: Selection, row: Row): RowTemplate | null {
  if (selection?.kind !== 'object') return null
  const parts = objectParts(selection, row)
  return parts === null ? null : rowTemplate(parts)
}

function packedObject(context: PlanContext, root: QueryRoot): Packed | null {
  const { operation: query } = root
  const row = openQueryRow(context, query)
  const template = templateOf(root.selection, row)
  if (template === null) return null
  const conditions = queryConditions(context, query, root.arguments, row)
  const from = rowsFrom(row, { conditions, order: null, page: sql` LIMIT 1` })
  return packedSingle(template, from, query.type.nullable)
}

/** @param selection of the items: that of the root, or of `items` of a wrapper */
function packedRows(context: PlanContext, root: QueryRoot, selection: Selection): Packed | null {
  const { operation: query } = root
  const row = openQueryRow(context, query)
  const template = templateOf(selection, row)
  if (template === null || query.named.kind !== 'object') return null
  const conditions = queryConditions(context, query, root.arguments, row)
  const orderBy = argumentValue(root.arguments, 'orderBy', context.variables)
  const order = compileOrder(context, query.named, row, orderBy, 'orderBy')
  const page = compilePage(context, root.arguments)
  return packedList(
    nextAlias(context),
    template,
    rowsFrom(row, { conditions, order, page: page.sql }),
    page.guard ?? EMPTY,
  )
}

function packedWrapper(context: PlanContext, root: QueryRoot, selection: WrapperSelection): Packed | null {
  const parts: (string | Packed)[] = []
  let packs = false
  for (const [index, field] of selection.fields.entries()) {
    const key = field.responseKey
    parts.push(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    if (field.field === 'items') {
      const items = packedRows(below(context, key), root, field.selection)
      if (items === null) return null
      packs = true
      parts.push(items)
    } else if (field.field === 'totalCount') parts.push(jsonColumn(totalCountText(context, root)))
    else parts.push(JSON.stringify(selection.typeName))
  }
  return packs ? compose([...parts, '}']) : null
}

import type { Condition } from '../../../contract/plan/condition.ts'
import type { SourceRow } from '../../../contract/plan/stored-value.ts'
import type { CompiledSource } from '../../../schema/compiled.ts'
import type { QueryModel } from '../../../schema/model.ts'
import type { PlanContext } from '../context/plan-context.ts'
import { columnOf } from '../values/stored.ts'
import { securityConditions } from './security.ts'
import { laidFilters, type RowsOf, typeConditions } from './type-rules.ts'

/** The rows of a view or table within a plan, with the conditions that access rules impose on them. */
export interface OpenedRows {
  readonly row: SourceRow
  readonly rules: readonly Condition[]
}

/**
 * Adds the rows of a view or table to a plan, and plans the access rules that apply to them. Every read, count and
 * filter gets its rows from this function.
 * @param of type of the rows
 * @param documentName name of the JSON column of the view or table; `null`: it has only ordinary columns
 * @param query the query whose access rules apply; `null`: the rows are not read by a query
 * @param more `documents`: JSON text of rows to read instead of the view or table; `computed`: columns that SQL of the
 * schema computes
 */
export function openRows(
  context: PlanContext,
  of: RowsOf,
  source: CompiledSource,
  documentName: string | null,
  query: QueryModel | null,
  { documents, computed }: Pick<SourceRow, 'documents' | 'computed'> = {},
): OpenedRows {
  const column = documentName === null ? undefined : columnOf(source, documentName)
  const has = documentName !== null && (column !== undefined || source.columns.length === 0)
  const document = has ? ({ column: documentName, json: column?.type === 'json' ? 'json' : 'jsonb' } as const) : null
  const laid = laidFilters(context, of, source, document)
  const row: SourceRow = {
    kind: 'source',
    source,
    document,
    // Copied, because filters on the source apply to the stored rows.
    laid: documents === undefined ? laid : [...laid],
    ...(documents === undefined ? {} : { documents }),
    ...(computed === undefined || computed.size === 0 ? {} : { computed }),
  }
  return { row, rules: rulesOf(context, of, query, row) }
}

/** Returns all rules of rows: those of their type, of this request and of the query. Only this function collects rules. */
function rulesOf(context: PlanContext, of: RowsOf, query: QueryModel | null, row: SourceRow): readonly Condition[] {
  const ofType = typeConditions(context, of, row)
  if (query === null || (query.inject.length === 0 && query.rowFilter === undefined)) return ofType
  const ofQuery = securityConditions(context, query, row)
  return ofType.length === 0 ? ofQuery : [...ofType, ...ofQuery]
}

import type { CompiledSource } from '../../schema/compiled.ts'
import type { QueryModel } from '../../schema/model.ts'
import type { Condition } from '../conditions/condition.ts'
import type { PlanContext } from '../plan-context.ts'
import { securityConditions } from '../security.ts'
import { columnOf } from './stored.ts'
import type { SourceRow } from './stored-value.ts'
import { laidFilters, type RowsOf, typeConditions } from './type-rules.ts'

/** Rows of a source, with what is laid on them. */
export interface OpenedRows {
  readonly row: SourceRow
  readonly rules: readonly Condition[]
}

/**
 * The only way to the rows of a source: whoever reads, counts or filters across them gets their rules along with them.
 * @param documentName of its JSON column; `null` = all of it are columns
 * @param query whose rules hold; `null`: the rows are reached on another way
 * @param more documents: JSON text of rows that are read in the place of the source; computed: columns that it does not have
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
    // A list of its own: filters that are laid on the source are laid on what is stored.
    laid: documents === undefined ? laid : [...laid],
    ...(documents === undefined ? {} : { documents }),
    ...(computed === undefined || computed.size === 0 ? {} : { computed }),
  }
  return { row, rules: rulesOf(context, of, query, row) }
}

/** What holds for rows, whoever asks: of their type, of this request, of the query. The one place where rules come from. */
function rulesOf(context: PlanContext, of: RowsOf, query: QueryModel | null, row: SourceRow): readonly Condition[] {
  const ofType = typeConditions(context, of, row)
  if (query === null) return ofType
  const ofQuery = securityConditions(context, query, row)
  return ofType.length === 0 ? ofQuery : [...ofType, ...ofQuery]
}

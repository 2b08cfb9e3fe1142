import type { CompiledSource } from '../schema/compiled.ts'
import type { QueryModel } from '../schema/model.ts'
import type { Condition } from './condition.ts'
import type { PlanContext } from './plan-context.ts'
import { securityConditions } from './security.ts'
import { columnOf } from './stored.ts'
import type { SourceRow } from './stored-value.ts'

/** Rows of a source, with what the schema lays on them. */
export interface OpenedRows {
  readonly row: SourceRow
  readonly rules: readonly Condition[]
}

/**
 * The only way to the rows of a source: whoever reads, counts or filters across them gets their rules along with them.
 * @param documentName of its JSON column; `null` = all of it are columns
 * @param query whose rules hold; `null`: the rows are reached on another way
 */
export function openRows(
  context: PlanContext,
  source: CompiledSource,
  documentName: string | null,
  query: QueryModel | null,
): OpenedRows {
  const column = documentName === null ? undefined : columnOf(source, documentName)
  const has = documentName !== null && (column !== undefined || source.columns.length === 0)
  const document = has ? ({ column: documentName, json: column?.type === 'json' ? 'json' : 'jsonb' } as const) : null
  const row: SourceRow = { kind: 'source', source, document }
  return { row, rules: rulesOf(context, query, row) }
}

/** What the schema lays on rows, whoever asks. The one place where rules come from. */
function rulesOf(context: PlanContext, query: QueryModel | null, row: SourceRow): readonly Condition[] {
  return query === null ? [] : securityConditions(context, query, row)
}

import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredQuery } from '../../schema/authored.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import type { CompileContext } from '../ground/context.ts'
import type { NamedElement } from '../ground/type-index.ts'
import { columnOf, isJsonType, shownName } from './describe-source.ts'

const DEFAULT_DOCUMENT = 'data'

/**
 * Returns the JSON column from which a query reads the rows as documents: its own `jsonb_column`, that of its type, or
 * `data` in a view other than the type's. `null`: the view has a column for each field.
 * @param name name of the view or table
 */
export function documentOfQuery(
  context: CompileContext,
  query: AuthoredQuery,
  result: NamedElement,
  name: string,
  source: CompiledSource,
): string | null {
  const wanted = query.jsonb_column
  const type = context.typeSources.get(result.name)
  if (wanted === undefined) {
    if (type?.source === name) return type.document
    if (context.catalog === null) return type?.document ?? null
    const column = columnOf(source, type?.document ?? DEFAULT_DOCUMENT)
    return column !== null && isJsonType(column.type) ? column.name : null
  }
  if (context.catalog === null) return wanted
  const column = columnOf(source, wanted)
  if (column !== null && isJsonType(column.type)) return wanted
  const json = source.columns.filter((item) => isJsonType(item.type)).map((item) => item.name)
  context.report.fault(
    'unknown-column',
    `Query "${query.name}": jsonb_column: ${shownName(context, source)} has no JSON column "${wanted}". ` +
      (json.length === 0 ? 'Leave jsonb_column out.' : `Its JSON columns: ${listNames(json)}.`),
    query,
  )
  return null
}

import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredQuery } from '../../schema/authored.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import type { CompileContext } from '../ground/context.ts'
import type { NamedElement } from '../ground/type-index.ts'
import { columnOf, isJsonType, shownName } from './describe-source.ts'

const DEFAULT_DOCUMENT = 'data'

/** Returns the JSON column that a query reads documents from: its own `jsonb_column`, the type's, or `data` on another source. */
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

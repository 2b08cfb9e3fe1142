import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import { DEFAULT_TYPE_COLUMN } from '../../schema/link/link-types.ts'
import { columnMismatch } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import type { NamedElement } from '../ground/type-index.ts'
import { columnOf, shownName } from './describe-source.ts'

type At = Parameters<CompileContext['report']['fault']>[2]

/**
 * Checks the column that contains the object type of a row, for rows of an interface or union: it must exist and be
 * text. Its name is `__typename`, or that in `type_column`. In a view with a JSON column it may be a key of the
 * document instead.
 * @param label the element that reads the rows, for messages
 */
export function checkTypeColumn(
  context: CompileContext,
  label: string,
  result: NamedElement,
  rows: { readonly source: CompiledSource; readonly document: string | null; readonly typeColumn: string | undefined },
  ...at: At[]
): void {
  if (context.catalog === null || (result.kind !== 'interface' && result.kind !== 'union')) return
  const { source, document } = rows
  const name = rows.typeColumn ?? result.element.type_column ?? DEFAULT_TYPE_COLUMN
  const column = columnOf(source, name)
  if (column === null && document !== null) return
  if (column !== null) {
    const text = columnMismatch({ kind: 'named', name: 'String', nullable: true }, context.index, column.type) === null
    if (text) return
    context.report.fault(
      'column-type',
      `${label}: "${name}" of ${shownName(context, source)} names the type of a row and is ${column.type}. Make it text.`,
      ...at,
    )
    return
  }
  const columns = source.columns.map((item) => item.name)
  const hint = didYouMean(name, columns) || ` It has: ${listNames(columns)}.`
  context.report.fault(
    'unknown-column',
    `${label}: ${shownName(context, source)} has no column "${name}" that names the type of a row of ${result.name}.${hint} Add it to the view, or name it in type_column.`,
    ...at,
  )
}

import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { CompiledPair } from '../../schema/compiled.ts'
import { comparable } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import { columnOf, shownName } from './describe-source.ts'
import type { Pair, Side } from './relation-by-name.ts'

/**
 * Finds two columns that a relation joins, and checks that they can be compared.
 * @returns `null` after a reported fault
 */
export function readPair(
  context: CompileContext,
  label: string,
  {
    here,
    there,
    pair,
    across,
  }: { readonly here: Side; readonly there: Side; readonly pair: Pair; readonly across: boolean },
  ...at: Parameters<CompileContext['report']['fault']>[2][]
): CompiledPair | null {
  const { report } = context
  const from = endOf(context, here, pair.from)
  const to = endOf(context, there, pair.to)
  for (const [end, side, name] of [
    [from, here, pair.from],
    [to, there, pair.to],
  ] as const) {
    if (end !== null) continue
    const columns = side.source.columns.map((column) => column.name)
    const hint = didYouMean(name, columns)
    report.fault(
      'unknown-column',
      `${label}: relation: ${shownName(context, side.source)} has no column "${name}".${hint === '' ? ` It has: ${listNames(columns)}.` : hint}`,
      ...at,
    )
  }
  if (from === null || to === null) return null
  if (to.document) {
    report.fault(
      'unknown-column',
      `${label}: relation: "${pair.to}" is a key of the document of ${shownName(context, there.source)}. Add it to the view as a column, so that rows can be found by it.`,
      ...at,
    )
    return null
  }
  if (!across && !comparable(from.type, to.type)) {
    report.fault(
      'relation-type',
      `${label}: relation: ${shownName(context, here.source)}.${pair.from} is ${from.type} and ${shownName(context, there.source)}.${pair.to} is ${to.type}; they cannot be equal.`,
      ...at,
    )
    return null
  }
  return {
    from_column: pair.from,
    ...(from.document && here.document !== null ? { from_document: here.document } : {}),
    to_column: pair.to,
    column_type: to.type ?? from.type,
  }
}

interface End {
  readonly type: string | null
  /** Is it a key of the document instead of a native column? */
  readonly document: boolean
}

function endOf(context: CompileContext, side: Side, name: string): End | null {
  if (context.catalog === null) return { type: null, document: false }
  const column = columnOf(side.source, name)
  if (column !== null) return { type: column.type, document: false }
  return side.document === null ? null : { type: null, document: true }
}

import { toWireName } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { CompileContext } from '../ground/context.ts'

/**
 * Refuses connections over a key that the dialect cannot page by. Runs on the linked schema.
 * @param dialect its name
 * @param database whose queries; `undefined`: the default one
 * @param known types of columns that it pages by; a column of which nothing is known passes
 */
export function checkCursorTypes(
  { schema, report }: CompileContext,
  model: SchemaModel,
  dialect: string,
  known: ReadonlySet<string>,
  database?: string,
): void {
  for (const query of schema.queries ?? []) {
    const linked = model.queries.get(toWireName(query.name))
    if (
      query.database !== database ||
      query.relay !== true ||
      linked?.named.kind !== 'object' ||
      linked.named.cursor === null
    )
      continue
    const { cursor } = linked.named
    // The id tells rows of one key apart.
    for (const name of cursor.document === null ? (cursor.by ?? [cursor.column, 'id']) : []) {
      const type = linked.source?.columns.find((column) => column.name === name)?.type ?? 'unknown'
      if (type === 'unknown' || known.has(type)) continue
      report.fault(
        'relay',
        `Query "${query.name}" is relay: its cursors hold ${linked.source?.name}.${name}, which is ${type}. With the dialect "${dialect}" a connection pages by columns of ${listNames([...known])}.`,
        query,
      )
    }
  }
}

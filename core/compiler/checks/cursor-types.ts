import { toWireName } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { CompileContext } from '../ground/context.ts'

/**
 * Reports relay queries whose pages would be sorted by a column of a type that the dialect cannot compare with a
 * cursor.
 * @param model the schema with resolved names
 * @param dialect name of the dialect, for the message
 * @param known column types that the dialect can page by; none: it has no connections. Columns of unknown type are not
 *   reported
 * @param database checks the queries of this database; `undefined`: of the default one
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
    if (known.size === 0) {
      const message = `Query "${query.name}" is relay, and with the dialect "${dialect}" svc has no connections. Drop relay: the query is a list then.`
      report.fault('relay', message, query)
      continue
    }
    const { cursor } = linked.named
    // The id is part of the order of rows with equal keys.
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

import type { ListedPlugin } from '../../config/plugin-list.ts'
import type { TableDefinition } from '../../contract/table.ts'

/**
 * Returns the database tables that plugins need for their own data with their current options, each table once, in the
 * order of the plugins.
 */
export function tablesOf(listed: readonly ListedPlugin[]): readonly TableDefinition[] {
  const wanted = listed.flatMap(({ manifest, options }) =>
    (manifest.tables ?? []).filter(
      ({ when }) => when === undefined || [when.is].flat().includes(options[when.option] as string),
    ),
  )
  return [...new Map(wanted.map((table) => [table.name, table])).values()]
}

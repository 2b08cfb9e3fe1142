import type { ListedPlugin } from '../../config/plugin-list.ts'
import type { TableDefinition } from '../../contract/table.ts'

/** Returns the tables of the plugins of a list, without duplicates, in the order of the list. */
export function tablesOf(listed: readonly ListedPlugin[]): readonly TableDefinition[] {
  const wanted = listed.flatMap(({ manifest, options }) =>
    (manifest.tables ?? []).filter(
      ({ when }) => when === undefined || [when.is].flat().includes(options[when.option] as string),
    ),
  )
  return [...new Map(wanted.map((table) => [table.name, table])).values()]
}

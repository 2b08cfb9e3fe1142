import type { Database } from '../contract/database.ts'
import type { TableDefinition, TableVersion } from '../contract/table.ts'
import { SvcError } from '../errors/svc-error.ts'
import { listNames } from '../util/nearest.ts'

/** The versions that the table lacks; all of them where it is not there. */
export async function missingVersions(
  database: Database,
  { name, versions }: TableDefinition,
): Promise<readonly TableVersion[]> {
  const { relations } = await database.catalog({ relations: [name], functions: [] })
  const columns = new Set(relations.get(name)?.columns.map((column) => column.name) ?? [])
  return versions.filter((version) => version.columns.some((column) => !columns.has(column)))
}

/** @throws SvcError SVC_TABLE_MISSING: nobody has written it for this kind of database */
export function scriptOf({ name }: TableDefinition, versions: readonly TableVersion[], dialect: string): string {
  return versions
    .map(({ sql }) => {
      const text = sql[dialect]
      if (text !== undefined) return text.trim().endsWith(';') ? text.trim() : `${text.trim()};`
      const message = `The table ${name} cannot be made in a database of the kind "${dialect}"; there are scripts for ${listNames(Object.keys(sql))}.`
      throw new SvcError('SVC_TABLE_MISSING', message)
    })
    .join('\n')
}

/**
 * Makes what of the table is not there. Of several processes that try at once all succeed.
 * @returns was there anything to make?
 */
export async function makeTable(database: Database, table: TableDefinition): Promise<boolean> {
  const missing = await missingVersions(database, table)
  if (missing.length === 0) return false
  const script = scriptOf(table, missing, database.dialect.name)
  try {
    await database.script(script)
  } catch (error) {
    // IF NOT EXISTS does not help two who look at the same time: one of them is told that it is there.
    if ((await missingVersions(database, table)).length > 0) throw error
  }
  return true
}

import type { Database } from '../../contract/database.ts'
import { missingVersions } from '../../tables/make-table.ts'
import { listNames } from '../../util/nearest.ts'
import type { Project } from '../load-project.ts'
import { tablesOf } from '../tables-of.ts'
import { type Finding, ok, skipped, warning } from './finding.ts'

/** Are the tables there that plugins keep things of their own in? They are made at start, by a role that may. */
export async function examineTables({ config, list }: Project, database: Database): Promise<Finding> {
  const tables = tablesOf(list.listed)
  if (tables.length === 0) return skipped('tables', 'no plugin of the list has tables of its own')
  const lacking: string[] = []
  const mayMake = config.svc.create_tables !== false
  for (const table of tables) {
    if (table.onDemand === true && mayMake) continue
    if ((await missingVersions(database, table)).length > 0) lacking.push(table.name)
  }
  if (lacking.length === 0) return ok('tables', `${listNames(tables.map(({ name }) => name))}`)
  const message = `The database lacks ${listNames(lacking)}. \`svc run\` makes them if its role may create tables; if not, run \`svc tables --apply\` with one that may.`
  return warning('tables', message)
}

import { listNames } from '../../base/util/nearest.ts'
import type { Database } from '../../contract/database.ts'
import { stateOf } from '../../service/tables/make-table.ts'
import type { Project } from '../load-project.ts'
import { tablesOf } from '../tables-of.ts'
import { type Finding, failed, ok, skipped, warning } from './finding.ts'

/** Are the tables there that plugins keep things of their own in? They are made at start, by a role that may. */
export async function examineTables({ config, list }: Project, database: Database): Promise<Finding> {
  const tables = tablesOf(list.listed)
  if (tables.length === 0) return skipped('tables', 'no plugin of the list has tables of its own')
  const lacking: string[] = []
  const mayMake = config.svc.create_tables !== false
  const doubled: string[] = []
  for (const table of tables) {
    const { missing, unfit, elsewhere } = await stateOf(database, table)
    if (unfit !== null) return failed('tables', unfit)
    if (missing.length > 0 && !(table.onDemand === true && mayMake)) lacking.push(table.name)
    for (const schema of elsewhere) doubled.push(`${schema}.${table.name}`)
  }
  if (doubled.length > 0) {
    const message = `The database has ${listNames(doubled)}, which the search_path of this role does not reach, beside those that it uses. All processes of a service need one and the same: give their roles one search_path.`
    return warning('tables', message)
  }
  if (lacking.length === 0) return ok('tables', `${listNames(tables.map(({ name }) => name))}`)
  const message = `The database lacks ${listNames(lacking)}. \`svc run\` makes them if its role may create tables; if not, run \`svc tables --apply\` with one that may.`
  return warning('tables', message)
}

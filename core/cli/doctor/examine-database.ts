import { listNames } from '../../base/util/nearest.ts'
import { redactText } from '../../base/util/redact-text.ts'
import type { Database } from '../../contract/database.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { compareCatalog, needsOf } from '../../service/drift/compare-catalog.ts'
import { describeDifference, WAY_OUT } from '../../service/drift/difference.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { stateOf } from '../../service/tables/make-table.ts'
import { openProjectDatabase } from '../database/project-database.ts'
import { tablesOf } from '../database/tables-of.ts'
import type { Project } from '../project/load-project.ts'
import { withOtherDatabases } from '../project/other-databases.ts'
import { type Finding, failed, ok, skipped, warning } from './finding.ts'
import { SILENT_LOG } from './silent-log.ts'

/**
 * Checks for `svc doctor` that the project's databases are configured and reachable, and that they have the views,
 * tables and functions that the schema uses.
 * @param compiled the compiled schema; `null`: there is none, so its objects are not checked
 */
export async function examineDatabase(project: Project, compiled: CompiledSchema | null): Promise<readonly Finding[]> {
  const { url = '' } = project.config.database
  if (url === '') {
    const why = 'no database is configured'
    const missing = new Error('No database is configured: set DATABASE_URL, or database.url in svc.toml.')
    return [failed('database url', missing), ...['database', 'sources', 'tables'].map((name) => skipped(name, why))]
  }
  const configured = ok('database url', redactText(url))
  let database: Database | null = null
  try {
    const opened = await openProjectDatabase(project, {
      purpose: 'check',
      signals: createSignals(),
      log: SILENT_LOG,
      progress() {},
    })
    database = opened.database
    await database.ping()
    const reached = ok('database', `${database.kind} answers`)
    const sources = await examineSources(database, compiled, undefined)
    const own = [configured, reached, sources, await examineTables(project, database)]
    return [...own, ...(await examineOthers(project, compiled))]
  } catch (error) {
    const why = 'the database cannot be queried'
    return [configured, failed('database', error), skipped('sources', why), skipped('tables', why)]
  } finally {
    await database?.close()
  }
}

/** Checks each database of `[databases]`: one finding about the connection, and one about the objects. */
async function examineOthers(project: Project, compiled: CompiledSchema | null): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const name of Object.keys(project.config.databases)) {
    const label = `database ${name}`
    const only = { ...project, config: { ...project.config, databases: { [name]: project.config.databases![name]! } } }
    try {
      await withOtherDatabases(only, { signals: createSignals(), log: SILENT_LOG }, async (opened) => {
        const database = opened.get(name)!
        await database.ping()
        findings.push(ok(label, `${database.kind} answers`), await examineSources(database, compiled, name))
      })
    } catch (error) {
      findings.push(failed(label, error))
    }
  }
  return findings
}

async function examineSources(
  database: Database,
  compiled: CompiledSchema | null,
  of: string | undefined,
): Promise<Finding> {
  const label = of === undefined ? 'sources' : `sources of ${of}`
  if (compiled === null) return skipped(label, 'there is no schema')
  const needs = needsOf(compiled, of)
  const differences = await compareCatalog(database, needs)
  if (differences.length > 0) {
    return failed(label, new Error([...differences.map(describeDifference), WAY_OUT].join('\n')))
  }
  const functions = new Set(needs.calls.map(({ name }) => name))
  return ok(
    label,
    `${needs.relations.length} views and ${functions.size} functions are there, as the schema reads them`,
  )
}

/** Checks that the tables of plugins exist. A role with the permission creates them at boot. */
async function examineTables({ config, list }: Project, database: Database): Promise<Finding> {
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

import { SvcError } from '../../base/errors/svc-error.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { CatalogRelation, Database } from '../../contract/database.ts'
import type { TableDefinition, TableVersion } from '../../contract/table.ts'

/** What a database has of a table that svc or a plugin needs. */
export interface TableState {
  /** Versions of the table definition whose columns are missing; all versions if the table does not exist. */
  readonly missing: readonly TableVersion[]
  /** Sentence that explains why svc cannot use an existing table with this name; `null`: it can, or there is none. */
  readonly unfit: string | null
  /** Schemas outside the `search_path` of the role that have a table with this name. */
  readonly elsewhere: readonly string[]
}

export async function stateOf(database: Database, table: TableDefinition): Promise<TableState> {
  const { name, versions } = table
  const { relations, elsewhere } = await database.catalog({ relations: [name], functions: [] })
  const found = relations.get(name)
  const columns = new Set(found?.columns.map((column) => column.name) ?? [])
  const schemas = (elsewhere?.relations ?? []).filter((one) => one.endsWith(`.${name}`))
  return {
    missing: versions.filter((version) => version.columns.some((column) => !columns.has(column))),
    unfit: found === undefined ? null : (foreignForm(table, found) ?? wrongTypes(database, table, found)),
    elsewhere: schemas.map((one) => one.slice(0, -name.length - 1)),
  }
}

/**
 * Returns the versions of a table definition whose columns are missing in a database; all versions if the table does
 * not exist.
 */
export async function missingVersions(database: Database, table: TableDefinition): Promise<readonly TableVersion[]> {
  return (await stateOf(database, table)).missing
}

/** Describes a table that lacks columns of the first version. It was not created by svc, which never adds these columns. */
function foreignForm({ versions }: TableDefinition, found: CatalogRelation): string | null {
  const columns = new Set(found.columns.map(({ name }) => name))
  const lackingOf = (some: readonly TableVersion[]): readonly string[] =>
    some.flatMap((version) => version.columns.filter((column) => !columns.has(column)))
  if (lackingOf(versions.slice(0, 1)).length === 0) return null
  return unfitMessage(found, `it lacks ${listNames(lackingOf(versions))}`)
}

function wrongTypes(database: Database, { types }: TableDefinition, found: CatalogRelation): string | null {
  if (types === undefined || database.dialect.name !== 'postgres') return null
  const wrong = found.columns.flatMap(({ name, type }) => {
    const wanted = types[name]
    return wanted === undefined || wanted.includes(type)
      ? []
      : [`${name} is ${type} and has to be ${wanted.join(' or ')}`]
  })
  return wrong.length === 0 ? null : unfitMessage(found, wrong.join(', '))
}

function unfitMessage({ schema, name }: CatalogRelation, why: string): string {
  return (
    `The table ${schema}.${name} is there and is not one that svc can use: ${why}. ` +
    'Change it, or rename it so that svc makes its own, or put another schema first on the search_path of the role.'
  )
}

/**
 * Returns the SQL that creates versions of a table. @param dialect name of the dialect
 * @throws SvcError SVC_TABLE_MISSING: a version has no SQL for the dialect
 */
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
 * Creates a table, or adds the missing columns of later versions. Several processes may do so at the same time.
 * @returns `true`: something was missing
 * @throws SvcError SVC_TABLE_MISSING: svc cannot use the existing table; errors of the database are thrown unchanged
 */
export async function makeTable(database: Database, table: TableDefinition): Promise<boolean> {
  const { missing, unfit } = await stateOf(database, table)
  if (unfit !== null) throw new SvcError('SVC_TABLE_MISSING', unfit)
  if (missing.length === 0) return false
  const script = scriptOf(table, missing, database.dialect.name)
  let failure: unknown = null
  try {
    await database.script(script)
  } catch (error) {
    // With IF NOT EXISTS, concurrent calls can still fail because another one creates the table.
    failure = error
  }
  await checkMade(database, table, failure)
  return true
}

/**
 * Checks the table after its script has run. `CREATE TABLE IF NOT EXISTS` leaves an existing table unchanged, so that later statements may
 * have failed because of other columns.
 * @throws the error of the script when the table does not exist or lacks columns of later versions; otherwise SvcError SVC_TABLE_MISSING
 *   when it lacks columns
 */
async function checkMade(database: Database, table: TableDefinition, failure: unknown): Promise<void> {
  const { relations } = await database.catalog({ relations: [table.name], functions: [] })
  const found = relations.get(table.name)
  const columns = new Set(found?.columns.map(({ name }) => name) ?? [])
  const lackingOf = (versions: readonly TableVersion[]): readonly string[] =>
    versions.flatMap((version) => version.columns.filter((column) => !columns.has(column)))
  const lacking = lackingOf(table.versions)
  if (lacking.length === 0) return
  const isForeign = found !== undefined && lackingOf(table.versions.slice(0, 1)).length > 0
  if (!isForeign && failure !== null) throw failure
  throw new SvcError('SVC_TABLE_MISSING', unfitMessage(found!, `it lacks ${listNames(lacking)}`), { cause: failure })
}

import { SvcError } from '../../base/errors/svc-error.ts'
import { catalogNames, joinCatalogs, namesOf } from '../../compiler/catalog-names.ts'
import {
  checkSampledKeys,
  SAMPLED_ROWS,
  type SampledColumn,
  type SampledKeys,
  sampledColumns,
  sampleKey,
} from '../../compiler/checks/sampled-keys.ts'
import { type CompileResult, compileSchema } from '../../compiler/compile.ts'
import { inSourceOrder } from '../../compiler/ground/report.ts'
import { extendSchema } from '../../compiler/run-parts.ts'
import { printKey } from '../../config/key-path.ts'
import type { Catalog, Database } from '../../contract/database.ts'
import type { AuthoredSchema, SourceLocation } from '../../schema/authored.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { AbortSource } from '../../service/lifecycle/abort-source.ts'
import type { CommandIo } from '../command/command.ts'
import { openProjectDatabase } from '../database/project-database.ts'
import type { Project } from '../project/load-project.ts'
import { ofDatabase, withOtherDatabases } from '../project/other-databases.ts'
import { configuredDialect, otherDialects, reporting } from './configured-dialect.ts'
import { loadCompileParts, loadOwnedKeys } from './load-compile-parts.ts'

export interface CompileOptions {
  /** `true`: compiles without a connection to a database, so that names of views and columns are not checked. */
  readonly offline: boolean
  /** `true`: compiles for a check only: no embedded database is created, and no file is written. */
  readonly check: boolean
  /**
   * An open database to read the catalog from. The compilation does not close it. Absent: the project's database is
   * opened.
   */
  readonly database?: Database | undefined
  /** Examines the database after a successful compilation, while it is open. */
  readonly examine?: ((database: Database, compiled: CompiledSchema) => Promise<void>) | undefined
}

/**
 * Compiles the schema of a project, and checks it against the catalogs of the project's databases, except with
 * `offline`.
 * @returns the compiled schema, which is `null` if the schema has faults, and the faults
 * @throws SvcError SVC_DATABASE_UNREACHABLE: a database does not respond; SVC_DATABASE_MISSING: it does not exist, or
 * no driver accepts its URL
 */
export async function compileProject(
  project: Project,
  schema: AuthoredSchema,
  options: CompileOptions,
  io: CommandIo,
): Promise<CompileResult> {
  const { query_defaults: queryDefaults } = project.config
  const owned = await loadOwnedKeys(project.available)
  const parts = await loadCompileParts(project.list.listed)
  const validation = { entries: project.config.svc.validation, placeOf: placesOf(project) }
  if (options.offline) {
    const dialect = await configuredDialect(project, io)
    const databases = await otherDialects(project, io)
    return compileSchema(schema, { catalog: null, dialect, databases, queryDefaults, validation, owned, parts })
  }
  return withDatabase(project, options, io, (database) =>
    withOtherDatabases(project, reporting(project, io), async (databases) => {
      const { dialect } = database
      const extended = extendSchema(schema, parts)
      const catalog = await readCatalogs(extended, database, databases)
      const result = compileSchema(schema, { catalog, dialect, databases, queryDefaults, validation, owned, parts })
      if (result.compiled === null) return result
      const samples = await sampleDocuments(database, databases, result.compiled)
      await options.examine?.(database, result.compiled)
      const seen = checkSampledKeys(extended, result.compiled, samples)
      return { ...result, warnings: inSourceOrder([...result.warnings, ...seen]) }
    }),
  )
}

/** Returns a function that finds the location of a key of `[svc.validation]`. */
function placesOf({ sources, file }: Project): (key: string) => SourceLocation | null {
  return (key) => {
    const path = printKey(['svc', 'validation', key])
    const inside = [...sources.keys()].find((each) => each === path || each.startsWith(`${path}.`))
    const line = /:(\d+)$/.exec(inside === undefined ? '' : (sources.get(inside)?.place ?? ''))?.[1]
    return line === undefined ? null : { file, line: Number(line), column: 1 }
  }
}

/** Opens the database of the project for `work`, and closes it. */
async function withDatabase<T>(
  project: Project,
  options: CompileOptions,
  io: CommandIo,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (options.database !== undefined) return work(options.database)
  const { signals, log } = reporting(project, io)
  const progress = (line: string): void => io.stderr(`${line}\n`)
  try {
    const purpose = options.check ? 'check' : 'compile'
    const { database } = await openProjectDatabase(project, { purpose, signals, log, progress })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } catch (cause) {
    if (!(cause instanceof SvcError) || cause.code !== 'SERVICE_UNAVAILABLE') throw cause
    throw new SvcError('SVC_DATABASE_UNREACHABLE', `${describeAbsence(cause)}, or compile with --offline.`, { cause })
  }
}

/**
 * Describes why the database cannot be used, and the remedy. Distinguishes a server that rejects the connection from
 * one that is down.
 */
function describeAbsence(error: Error): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const advice = REFUSALS[String((at as { code?: unknown }).code)]
    if (advice !== undefined) return `The database server answers, and does not let us in: ${at.message}. ${advice}`
  }
  return 'The database cannot be reached, and the schema is compared with it. Start it'
}

/** Remedies by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '3D000': 'Create the database, correct its name in DATABASE_URL or database.url',
  '28000': 'Create the role, let it in (pg_hba.conf), correct it in DATABASE_URL or database.url',
  '28P01': 'Correct the password in DATABASE_URL or database.url',
  '42501': 'Grant the role CONNECT, name another in DATABASE_URL or database.url',
}

/**
 * Reads from each database of a project the catalog entries of the views, tables and functions that the schema names,
 * and joins them to one catalog.
 * @param database the main database of the project
 * @param others the databases of `[databases]`, by name
 */
export async function readCatalogs(
  schema: AuthoredSchema,
  database: Database,
  others: ReadonlyMap<string, Database>,
): Promise<Catalog> {
  const names = catalogNames(schema)
  const catalogs = new Map<string | undefined, Catalog>()
  catalogs.set(undefined, await database.catalog(namesOf(names, undefined)))
  for (const [name, other] of others) {
    const own = namesOf(names, name)
    if (own.relations.length === 0 && own.functions.length === 0) continue
    catalogs.set(
      name,
      await other.catalog(own).catch((error: unknown) => {
        throw ofDatabase(name, error)
      }),
    )
  }
  return joinCatalogs(catalogs)
}

/** Time limit for all columns together, because views can be slow. Columns that were not read cause no warnings. */
const MOST_MS = 5000

/** Reads the first documents of each JSON column that types are read from. @returns documents by `sampleKey` */
async function sampleDocuments(
  database: Database,
  others: ReadonlyMap<string, Database>,
  compiled: CompiledSchema,
): Promise<ReadonlyMap<string, SampledKeys>> {
  const samples = new Map<string, SampledKeys>()
  const cancel = new AbortSource()
  const timer = setTimeout(() => cancel.abort('timeout'), MOST_MS)
  try {
    for (const column of sampledColumns(compiled)) {
      if (cancel.aborted) break
      // A missing permission or a failing view does not fail the compilation.
      const of = compiled.sources[column.source]?.database
      const asked = of === undefined ? database : (others.get(of) ?? database)
      const keys = await sample(asked, compiled, column, cancel).catch(() => null)
      if (keys !== null) samples.set(sampleKey(column), keys)
    }
  } finally {
    clearTimeout(timer)
  }
  return samples
}

async function sample(
  database: Database,
  { sources }: CompiledSchema,
  { source, column }: SampledColumn,
  cancel: AbortSource,
): Promise<SampledKeys | null> {
  const found = sources[source]
  const statement = found === undefined ? undefined : database.dialect.sampleKeys?.(found, column, SAMPLED_ROWS)
  if (statement === undefined) return null
  const { rows } = await database.query(statement, [], cancel)
  const keys = new Map<string, Set<string>>()
  for (const [key, type] of rows) {
    const kinds = keys.get(key!)
    if (kinds === undefined) keys.set(key!, new Set([type!]))
    else kinds.add(type!)
  }
  return keys
}

import { SvcError } from '../../base/errors/svc-error.ts'
import { checkSampledKeys } from '../../compiler/checks/sampled-keys.ts'
import { type CompileResult, compileSchema } from '../../compiler/compile.ts'
import { inSourceOrder } from '../../compiler/report.ts'
import { extendSchema } from '../../compiler/run-parts.ts'
import { printKey } from '../../config/key-path.ts'
import type { Database } from '../../contract/database.ts'
import type { AuthoredSchema, SourceLocation } from '../../schema/authored.ts'
import type { CommandIo } from '../command.ts'
import type { Project } from '../load-project.ts'
import { withOtherDatabases } from '../other-databases.ts'
import { openProjectDatabase } from '../project-database.ts'
import { configuredDialect, otherDialects, reporting } from './configured-dialect.ts'
import { loadCompileParts } from './load-compile-parts.ts'
import { readCatalogs } from './read-catalogs.ts'
import { sampleDocuments } from './sample-documents.ts'

export interface CompileOptions {
  /** Compile without a database. */
  readonly offline: boolean
  /** Leave no traces: nothing is created. */
  readonly check: boolean
  /** One that is open already, and stays open. */
  readonly database?: Database | undefined
}

/**
 * Compiles a schema with the catalog of the project's database.
 * @throws SvcError SVC_DATABASE_UNREACHABLE, SVC_DATABASE_MISSING, and what opening the database throws
 */
export async function compileProject(
  project: Project,
  schema: AuthoredSchema,
  options: CompileOptions,
  io: CommandIo,
): Promise<CompileResult> {
  const { query_defaults: queryDefaults } = project.config
  const parts = await loadCompileParts(project.list.listed)
  const validation = { entries: project.config.svc.validation, placeOf: placesOf(project) }
  if (options.offline) {
    const dialect = await configuredDialect(project, io)
    const databases = await otherDialects(project, io)
    return compileSchema(schema, { catalog: null, dialect, databases, queryDefaults, validation, parts })
  }
  return withDatabase(project, options, io, (database) =>
    withOtherDatabases(project, reporting(project, io), async (databases) => {
      const { dialect } = database
      const extended = extendSchema(schema, parts)
      const catalog = await readCatalogs(extended, database, databases)
      const result = compileSchema(schema, { catalog, dialect, databases, queryDefaults, validation, parts })
      if (result.compiled === null) return result
      const samples = await sampleDocuments(database, databases, result.compiled)
      const seen = checkSampledKeys(extended, result.compiled, samples)
      return { ...result, warnings: inSourceOrder([...result.warnings, ...seen]) }
    }),
  )
}

/** Where the keys of `[svc.validation]` stand. */
function placesOf({ sources, file }: Project): (key: string) => SourceLocation | null {
  return (key) => {
    const path = printKey(['svc', 'validation', key])
    const inside = [...sources.keys()].find((each) => each === path || each.startsWith(`${path}.`))
    const line = /:(\d+)$/.exec(inside === undefined ? '' : (sources.get(inside)?.place ?? ''))?.[1]
    return line === undefined ? null : { file, line: Number(line), column: 1 }
  }
}

/** Works with the project's database, which is closed behind it. */
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

/** What keeps us from the database, and what to do. A server that refuses us is no server that is away. */
function describeAbsence(error: Error): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const advice = REFUSALS[String((at as { code?: unknown }).code)]
    if (advice !== undefined) return `The database server answers, and does not let us in: ${at.message}. ${advice}`
  }
  return 'The database cannot be reached, and the schema is compared with it. Start it'
}

/** By SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '3D000': 'Create the database, correct its name in DATABASE_URL or database.url',
  '28000': 'Create the role, let it in (pg_hba.conf), correct it in DATABASE_URL or database.url',
  '28P01': 'Correct the password in DATABASE_URL or database.url',
  '42501': 'Grant the role CONNECT, name another in DATABASE_URL or database.url',
}

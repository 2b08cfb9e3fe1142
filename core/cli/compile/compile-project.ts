import { catalogNames } from '../../compiler/catalog-names.ts'
import { type CompileResult, compileSchema } from '../../compiler/compile.ts'
import { extendSchema } from '../../compiler/run-parts.ts'
import { listSecrets } from '../../config/redact.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { Catalog, Database } from '../../front/database.ts'
import type { AuthoredSchema, AutoParamFlags } from '../../schema/authored.ts'
import { createLog } from '../../signals/log.ts'
import { createSignals } from '../../signals/signals.ts'
import type { CommandIo } from '../command.ts'
import type { Project } from '../load-project.ts'
import { openProjectDatabase } from '../project-database.ts'
import { loadCompileParts } from './load-compile-parts.ts'

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
  const queryDefaults = project.config.query_defaults as Partial<AutoParamFlags> | undefined
  const parts = await loadCompileParts(project.list.listed)
  if (options.offline) return compileSchema(schema, { catalog: null, queryDefaults, parts })
  const { catalog, dialect } = await readProjectCatalog(project, extendSchema(schema, parts), options, io)
  return compileSchema(schema, { catalog, dialect, queryDefaults, parts })
}

interface ReadCatalog {
  readonly catalog: Catalog
  readonly dialect: Dialect
}

async function readCatalog(database: Database, schema: AuthoredSchema): Promise<ReadCatalog> {
  return { catalog: await database.catalog(catalogNames(schema)), dialect: database.dialect }
}

async function readProjectCatalog(
  project: Project,
  schema: AuthoredSchema,
  options: CompileOptions,
  io: CommandIo,
): Promise<ReadCatalog> {
  if (options.database !== undefined) return readCatalog(options.database, schema)
  // Nobody listens: what the driver observes, this command reports itself.
  const signals = createSignals()
  const log = createLog({
    env: io.env,
    write: (line) => io.stderr(line),
    isTerminal: io.isTerminal,
    secrets: listSecrets(project.config, project.schema),
  })
  const progress = (line: string): void => io.stderr(`${line}\n`)
  try {
    const purpose = options.check ? 'check' : 'compile'
    const { database } = await openProjectDatabase(project, { purpose, signals, log, progress })
    try {
      return await readCatalog(database, schema)
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

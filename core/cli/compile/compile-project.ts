import { catalogNames } from '../../compiler/catalog-names.ts'
import { type CompileResult, compileSchema } from '../../compiler/compile.ts'
import { extendSchema } from '../../compiler/run-parts.ts'
import { listSecrets } from '../../config/redact.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { Catalog } from '../../front/database.ts'
import type { AuthoredSchema, AutoParamFlags } from '../../schema/authored.ts'
import { createLog } from '../../signals/log.ts'
import { createSignals } from '../../signals/signals.ts'
import type { CommandIo } from '../command.ts'
import type { Project } from '../load-project.ts'
import { openProjectDatabase } from '../project-database.ts'
import { loadCompileParts } from './load-compile-parts.ts'

/**
 * Compiles a schema with the catalog of the project's database.
 * @param offline compile without a database
 * @throws SvcError SVC_DATABASE_UNREACHABLE, SVC_DATABASE_MISSING, and what opening the database throws
 */
export async function compileProject(
  project: Project,
  schema: AuthoredSchema,
  offline: boolean,
  io: CommandIo,
): Promise<CompileResult> {
  const queryDefaults = project.config.query_defaults as Partial<AutoParamFlags> | undefined
  const parts = await loadCompileParts(project.list.listed)
  if (offline) return compileSchema(schema, { catalog: null, queryDefaults, parts })
  const { catalog, dialect } = await readProjectCatalog(project, extendSchema(schema, parts), io)
  return compileSchema(schema, { catalog, dialect, queryDefaults, parts })
}

async function readProjectCatalog(
  project: Project,
  schema: AuthoredSchema,
  io: CommandIo,
): Promise<{ readonly catalog: Catalog; readonly dialect: Dialect }> {
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
    const database = await openProjectDatabase(project, { purpose: 'compile', signals, log, progress })
    try {
      return { catalog: await database.catalog(catalogNames(schema)), dialect: database.dialect }
    } finally {
      await database.close()
    }
  } catch (cause) {
    if (!(cause instanceof SvcError) || cause.code !== 'SERVICE_UNAVAILABLE') throw cause
    throw new SvcError(
      'SVC_DATABASE_UNREACHABLE',
      'The database cannot be reached, and the schema is compared with it. Start it, or compile with --offline.',
      { cause },
    )
  }
}

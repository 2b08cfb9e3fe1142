import { SvcError } from '../../base/errors/svc-error.ts'
import { listSecrets } from '../../config/redact.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { Signals } from '../../contract/signals.ts'
import { driverFor } from '../../service/open-database.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { createLog, type RootLog } from '../../service/signals/log.ts'
import type { CommandIo } from '../command/command.ts'
import { loadDrivers } from '../project/load-driver.ts'
import type { Project } from '../project/load-project.ts'

/**
 * Returns the SQL dialect for the `database.url` of a project, without connecting.
 * Without a URL, `project.database_target` names the kind of database.
 * @returns `undefined`: neither is configured, so that the compiler assumes PostgreSQL
 */
export async function configuredDialect(project: Project, io: CommandIo): Promise<Dialect | undefined> {
  const { database, project: described } = project.config
  const url = database.url ?? ''
  if (url !== '') return dialectOf(project, url, io)
  const { database_target: target } = described
  return target === undefined || target === 'postgresql'
    ? undefined
    : dialectOf(project, `${target}:`, io, 'project.database_target')
}

/**
 * Returns the SQL dialect of each database in `[databases]` of svc.toml, by the name of the database, without
 * connecting.
 */
export async function otherDialects(
  project: Project,
  io: CommandIo,
): Promise<ReadonlyMap<string, { readonly dialect: Dialect }>> {
  const found = new Map<string, { readonly dialect: Dialect }>()
  for (const [name, { url }] of Object.entries(project.config.databases)) {
    found.set(name, { dialect: await dialectOf(project, url, io, `databases.${name}.url`) })
  }
  return found
}

/** @param place the configuration key of the URL; absent: that of the main database */
async function dialectOf(project: Project, url: string, io: CommandIo, place?: string): Promise<Dialect> {
  const { signals, log } = reporting(project, io)
  const driver = driverFor(await loadDrivers(project, signals, log, url), url, place)
  // Assuming PostgreSQL would give an artifact that the database cannot run, without an error that says so.
  if (driver.dialect === undefined) {
    throw new SvcError(
      'SVC_DATABASE_UNREACHABLE',
      `The driver "${driver.name}" does not say what its database speaks while none is open (DatabaseDriver.dialect), and --offline needs that. Compile with the database, or have the driver give it.`,
    )
  }
  return driver.dialect()
}

/**
 * Creates the signals and the log that a database driver needs while a command uses it. No listener receives the
 * signals, because the command reports errors itself.
 */
export function reporting(project: Project, io: CommandIo): { readonly signals: Signals; readonly log: RootLog } {
  const { env, isTerminal } = io
  const secrets = listSecrets(project.config, project.schema)
  return { signals: createSignals(), log: createLog({ env, write: (line) => io.stderr(line), isTerminal, secrets }) }
}

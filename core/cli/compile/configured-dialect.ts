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

/** Returns the dialect of the configured database; `undefined`: PostgreSQL, also without a configured database. */
export async function configuredDialect(project: Project, io: CommandIo): Promise<Dialect | undefined> {
  const { url } = project.config.database
  if (url === undefined || url === '') return undefined
  return dialectOf(project, url, io)
}

/** Returns the dialects of `[databases]`, by name. */
export async function otherDialects(
  project: Project,
  io: CommandIo,
): Promise<ReadonlyMap<string, { readonly dialect: Dialect }>> {
  const found = new Map<string, { readonly dialect: Dialect }>()
  for (const [name, { url }] of Object.entries(project.config.databases)) {
    found.set(name, { dialect: await dialectOf(project, url, io) })
  }
  return found
}

async function dialectOf(project: Project, url: string, io: CommandIo): Promise<Dialect> {
  const { signals, log } = reporting(project, io)
  const driver = driverFor(await loadDrivers(project, signals, log, url), url)
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
 * Creates the signals and the log for the driver. The signals have no listeners, because the command itself reports
 * errors.
 */
export function reporting(project: Project, io: CommandIo): { readonly signals: Signals; readonly log: RootLog } {
  const { env, isTerminal } = io
  const secrets = listSecrets(project.config, project.schema)
  return { signals: createSignals(), log: createLog({ env, write: (line) => io.stderr(line), isTerminal, secrets }) }
}

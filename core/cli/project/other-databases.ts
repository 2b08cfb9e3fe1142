import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import type { Log } from '../../contract/scope.ts'
import type { Signals } from '../../contract/signals.ts'
import { openOther } from '../../service/open-database.ts'
import { loadDrivers } from './load-driver.ts'
import type { Project } from './load-project.ts'

/**
 * Opens the databases of `[databases]` in svc.toml without a service, passes them to `work` by name, and closes them
 * afterwards.
 * @throws SvcError SVC_DATABASE_UNREACHABLE: a database does not respond; SVC_DATABASE_MISSING: no driver accepts its
 * URL
 */
export async function withOtherDatabases<T>(
  project: Project,
  { signals, log }: { readonly signals: Signals; readonly log: Log },
  work: (databases: ReadonlyMap<string, Database>) => Promise<T>,
): Promise<T> {
  const { config, baseDir } = project
  const opened = new Map<string, Database>()
  try {
    for (const [name, own] of Object.entries(config.databases)) {
      const drivers = await loadDrivers(project, signals, log, own.url)
      const context = { baseDir, signals, maxResultBytes: config.svc.max_response_bytes }
      opened.set(name, await openOther(drivers, name, own, context))
    }
    return await work(opened)
  } finally {
    await Promise.all([...opened.values()].map((database) => database.close()))
  }
}

/**
 * Converts a connection error of a database in `[databases]` to an error that names the database and the remedy. Other
 * errors are returned unchanged.
 */
export function ofDatabase(name: string, error: unknown): unknown {
  if (!(error instanceof SvcError) || error.code !== 'SERVICE_UNAVAILABLE') return error
  const message = `The database of [databases.${name}] cannot be reached, and the schema is compared with it. Start it, or correct its URL; or compile with --offline.`
  return new SvcError('SVC_DATABASE_UNREACHABLE', message, { cause: error })
}

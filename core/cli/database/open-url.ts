import { PRESETS } from '../../../presets/index.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { FlagValue } from '../../config/load-config.ts'
import { entriesOf } from '../../config/plugin-catalog.ts'
import { listSecrets } from '../../config/redact.ts'
import type { Database } from '../../contract/database.ts'
import type { Signals } from '../../contract/signals.ts'
import { driverFor } from '../../service/open-database.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import type { CommandIo } from '../command/command.ts'
import { loadDrivers } from '../project/load-driver.ts'
import { loadProject, type Project } from '../project/load-project.ts'
import { type DatabaseUrl, databaseNameOf } from './database-url.ts'
import { explainRefusal } from './explain-refusal.ts'

/**
 * An open database that a URL on the command line names, with a project that consists of the default configuration. No
 * svc.toml is read.
 */
export interface OpenedUrl {
  readonly project: Project
  readonly database: Database
  /** Emits the events of the database connection, such as a lost connection. */
  readonly signals: Signals
}

/** No file has this name: a svc.toml in the folder belongs to another database. */
const NO_FILE = '.svc-no-configuration.toml'

/**
 * Opens the database of a URL from the command line, and checks that it responds. No svc.toml, environment variable or
 * missing database plays a part: the configuration is the default one, and nothing is created. The caller closes the
 * database.
 * @param settings further configuration values
 * @param readOnly `true`: the driver does not change the files of the database either
 * @throws SvcError SVC_DATABASE_UNREACHABLE and SVC_DATABASE_MISSING, which name the wrong part of the URL
 */
export async function openUrl(
  given: DatabaseUrl,
  io: CommandIo,
  settings: readonly FlagValue[] = [],
  readOnly = true,
): Promise<OpenedUrl> {
  const { url } = given
  const project = await projectForUrl(given, io, settings)
  const signals = createSignals()
  const drivers = await loadDrivers(project, signals, SILENT)
  const driver = driverFor(drivers, url)
  if ((await driver.exists?.(url, project.baseDir)) === false) throw missing(url, driver.folder?.(url, project.baseDir))
  try {
    const database = await driver.open(
      { ...project.config.database, url },
      { baseDir: project.baseDir, signals, readOnly, maxResultBytes: project.config.svc.max_response_bytes },
    )
    await database.ping().catch(async (error: unknown) => {
      await database.close()
      throw error
    })
    return { project, database, signals }
  } catch (error) {
    throw /^postgres(ql)?:/i.test(url) ? await explainRefusal(error, url) : error
  }
}

/**
 * Returns a project without svc.toml, for commands that take a database URL: the default configuration with this URL.
 * @param settings further configuration values
 */
export function projectForUrl(
  { url, plugin, use }: DatabaseUrl,
  io: CommandIo,
  settings: readonly FlagValue[] = [],
): Promise<Project> {
  const driver =
    use === undefined
      ? { flag: 'URL', key: 'plugins.enable', value: JSON.stringify(toEnable(plugin, settings)) }
      : { flag: '--plugin', key: 'plugins.use', value: JSON.stringify([use]) }
  const own = [
    { flag: 'URL', key: 'database.url', value: url },
    driver,
    { flag: 'URL', key: 'project.name', value: databaseNameOf(url) },
  ]
  return loadProject({ input: NO_FILE, optional: true, settings: [...own, ...settings] }, { ...io, env: {} })
}

/** The command reports the failure of the connection itself. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** A preset contains the drivers of some databases only. */
function toEnable(plugin: string, settings: readonly FlagValue[]): readonly string[] {
  const name = settings.find(({ key }) => key === 'plugins.preset')?.value ?? 'standard'
  const preset = PRESETS.find((one) => one.name === name)
  const isListed = preset !== undefined && entriesOf(preset).some(({ manifest }) => manifest.name === plugin)
  return isListed ? [] : [plugin]
}

function missing(url: string, folder: string | null | undefined): SvcError {
  const scheme = url.slice(0, url.indexOf(':'))
  const message =
    folder === null || folder === undefined
      ? `${url} is a new database in memory, which has no tables. Name a file or a folder.`
      : scheme === 'pglite'
        ? `Folder: there is no embedded database in ${folder}. Correct the folder in the URL.`
        : `File: there is no database in ${folder}. Correct the path in the URL.`
  return new SvcError('SVC_DATABASE_MISSING', message)
}

/** Returns the secret values of the configuration, such as the database password, so that the log can replace them. */
export function secretsOf({ project }: Pick<OpenedUrl, 'project'>): readonly string[] {
  return listSecrets(project.config, project.schema)
}

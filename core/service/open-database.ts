import { SvcError } from '../base/errors/svc-error.ts'
import type { Config } from '../contract/config.ts'
import type { Database, DatabaseDriver, DriverContext } from '../contract/database.ts'

/**
 * Databases that svc itself has no driver for, by the scheme of their URLs. A plugin of a third party may bring a
 * driver.
 */
export const WITHOUT_DRIVER: ReadonlyMap<string, string> = new Map([
  ['mssql', 'SQL Server'],
  ['sqlserver', 'SQL Server'],
  ['oracle', 'Oracle'],
  ['mongodb', 'MongoDB'],
])

/** Returns the scheme of a URL for messages. The rest of the URL may contain a password. */
function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1] ?? '(none)'
}

/**
 * Opens the database of `[database]` with the driver for its URL. It does not wait for a connection.
 * @throws SvcError SVC_DATABASE_MISSING: no URL is configured, or no enabled driver accepts it
 */
export async function openDatabase(
  drivers: readonly DatabaseDriver[],
  config: Config['database'],
  context: DriverContext,
): Promise<Database> {
  const { url } = config
  if (url === undefined || url === '') {
    throw new SvcError(
      'SVC_DATABASE_MISSING',
      'No database is configured: set DATABASE_URL, or database.url in svc.toml.',
    )
  }
  return driverFor(drivers, url).open({ ...config, url }, context)
}

/** Values of `type` that a driver accepts besides its own name. */
const ALIASES: Readonly<Record<string, string>> = { postgresql: 'postgres' }

/**
 * Opens the databases of `[databases]`. It does not wait for connections. If one cannot be opened, it closes the
 * others.
 * @throws SvcError SVC_DATABASE_MISSING: no driver, or an embedded database that does not exist; SVC_CONFIG_INVALID:
 * `type` is that of another driver
 */
export async function openDatabases(
  drivers: readonly DatabaseDriver[],
  configured: Config['databases'],
  context: DriverContext,
): Promise<ReadonlyMap<string, Database>> {
  const opened = new Map<string, Database>()
  try {
    for (const [name, config] of Object.entries(configured)) {
      opened.set(name, await openOther(drivers, name, config, context))
    }
    return opened
  } catch (error) {
    await Promise.allSettled([...opened.values()].map((database) => database.close()))
    throw error
  }
}

/** Opens one database of `[databases]`. @param name its name in the configuration @throws as {@link openDatabases} */
export async function openOther(
  drivers: readonly DatabaseDriver[],
  name: string,
  { type, ...config }: Config['databases'][string],
  context: DriverContext,
): Promise<Database> {
  const driver = otherDriver(drivers, name, config.url)
  if (type !== undefined && (ALIASES[type] ?? type) !== driver.name) {
    const message = `databases.${name}.type is "${type}", and its URL is one of "${driver.name}". Correct the one or the other.`
    throw new SvcError('SVC_CONFIG_INVALID', message)
  }
  const folder = driver.folder?.(config.url, context.baseDir) ?? null
  if (folder !== null && (await driver.exists?.(config.url, context.baseDir)) === false) {
    const message = `The embedded database of databases.${name}.url is not there. svc lays out that of [database] only: make it first.`
    throw new SvcError('SVC_DATABASE_MISSING', message)
  }
  return driver.open(config, context)
}

function otherDriver(drivers: readonly DatabaseDriver[], name: string, url: string): DatabaseDriver {
  try {
    return driverFor(drivers, url, `databases.${name}.url`)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    throw new SvcError(error.code, `[databases.${name}]: ${error.message}`, { cause: error })
  }
}

/**
 * Returns the enabled driver that accepts a database URL.
 * @param place the configuration key of the URL, for the message
 * @throws SvcError SVC_DATABASE_MISSING: there is none
 */
export function driverFor(
  drivers: readonly DatabaseDriver[],
  url: string,
  place = 'DATABASE_URL or database.url',
): DatabaseDriver {
  const driver = drivers.find((candidate) => candidate.accepts(url))
  if (driver === undefined) throw new SvcError('SVC_DATABASE_MISSING', lackOf(drivers, schemeOf(url), place))
  return driver
}

function lackOf(drivers: readonly DatabaseDriver[], scheme: string, place: string): string {
  const enabled = `Enabled drivers: ${drivers.map(({ name }) => name).join(', ') || 'none'}.`
  const product = WITHOUT_DRIVER.get(scheme.toLowerCase())
  if (product !== undefined)
    return `svc has no driver for ${product} ("${scheme}:"). ${enabled} Change ${place} to a database of another kind, or enable a plugin of a third party with such a driver.`
  return `No enabled driver understands a database URL with the scheme "${scheme}". ${enabled} Check ${place}, or enable the driver's plugin.`
}

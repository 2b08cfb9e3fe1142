import type { AppConfig } from './config/app-config.ts'
import type { Database, DatabaseDriver, DriverContext } from './contract/database.ts'
import { SvcError } from './errors/svc-error.ts'

/** The scheme of a URL; never the rest, which may hold a password. */
function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1] ?? '(none)'
}

/**
 * Opens the configured database with the driver that accepts its URL. Does not wait for the server.
 * @throws SvcError SVC_DATABASE_MISSING
 */
export async function openDatabase(
  drivers: readonly DatabaseDriver[],
  config: AppConfig['database'],
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

/** The driver that speaks a URL. @throws SvcError SVC_DATABASE_MISSING */
export function driverFor(drivers: readonly DatabaseDriver[], url: string): DatabaseDriver {
  const driver = drivers.find((candidate) => candidate.accepts(url))
  if (driver === undefined) {
    const names = drivers.map((d) => d.name).join(', ') || 'none'
    throw new SvcError(
      'SVC_DATABASE_MISSING',
      `No enabled driver understands a database URL with the scheme "${schemeOf(url)}". Enabled drivers: ${names}. Check DATABASE_URL or database.url, or enable the driver's plugin.`,
    )
  }
  return driver
}

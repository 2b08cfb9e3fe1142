import type { Manifest } from '../contract/manifest.ts'
import type { BootFault } from '../kernel/faults.ts'
import { isTable, printKey, valueAt } from './key-path.ts'
import type { SourcedConfig } from './plugin-section.ts'

/**
 * A plugin that is not enabled and may contain a database driver, with the reason why it is not enabled and the change
 * of svc.toml that enables it.
 */
export interface LeftDriver extends Pick<Manifest, 'name' | 'databaseSchemes'> {
  readonly why: string
  readonly howToEnable: string
}

/**
 * Checks that an enabled plugin has a driver for the URL of each database. A URL scheme that no known plugin handles is
 * reported later, when the database is opened.
 * @param listed enabled plugins
 * @param left known plugins that are not enabled
 * @returns a fault for each database without a driver. It names the location of the URL and the plugin to enable, but
 *   never the URL, which may include a password
 */
export function checkDrivers(
  listed: readonly { readonly manifest: Pick<Manifest, 'databaseSchemes'> }[],
  left: readonly LeftDriver[],
  { config, sources }: SourcedConfig,
): readonly BootFault[] {
  const others = isTable(config.databases) ? Object.keys(config.databases) : []
  const paths = [['database'], ...others.map((name) => ['databases', name])]
  return paths.flatMap((path) => {
    const scheme = schemeAt(config, path)
    if (scheme === null || listed.some(({ manifest }) => manifest.databaseSchemes?.includes(scheme))) return []
    const driver = left.find(({ databaseSchemes }) => databaseSchemes?.includes(scheme))
    if (driver === undefined) return []
    const key = printKey([...path, 'url'])
    const place = sources.get(key)?.place
    const at = place === undefined ? '' : ` (${place})`
    return [
      {
        code: 'SVC_DATABASE_MISSING',
        plugin: driver.name,
        message: `${key}${at} has the scheme "${scheme}", which plugin "${driver.name}" speaks, and that is not in the list: ${driver.why}. To run it, ${driver.howToEnable}.`,
      },
    ]
  })
}

function schemeAt(config: SourcedConfig['config'], path: readonly string[]): string | null {
  const url = valueAt(config, [...path, 'url'])
  const colon = typeof url === 'string' ? url.indexOf(':') : -1
  return colon > 0 ? (url as string).slice(0, colon).toLowerCase() : null
}

import { readVersion } from '../../base/packages/own-package.ts'
import { type ListedPlugin, loadPlugins } from '../../config/plugin-list.ts'
import type { DatabaseDriver } from '../../contract/database.ts'
import type { Log } from '../../contract/scope.ts'
import type { Signals } from '../../contract/signals.ts'
import { emptySchema } from '../../schema/link/empty-schema.ts'
import { createServiceKernel } from '../../service/plugins/create-service-kernel.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import type { Project } from './load-project.ts'
import { withDependencies } from './with-dependencies.ts'

/**
 * Boots only the plugins that have a driver for a database URL, and their dependencies, so that a command can open a
 * database without a service. The caller closes the database, which releases the driver's resources.
 * @param url default: the URL of `[database]`
 * @returns the drivers whose manifests declare the scheme of the URL. If there is none, all drivers, for the error
 * message
 * @throws SvcError SVC_BOOT_FAILED: the set-up of a plugin failed
 */
export async function loadDrivers(
  { list, config, baseDir }: Project,
  signals: Signals,
  log: Log,
  url = config.database.url ?? '',
): Promise<readonly DatabaseDriver[]> {
  const offering = list.listed.filter(({ manifest }) => manifest.databaseSchemes !== undefined)
  const fitting = offering.filter((plugin) => speaks(plugin, url))
  const candidates = fitting.length > 0 ? fitting : offering
  const kernel = await createServiceKernel({
    plugins: await loadPlugins(withDependencies(candidates, list.listed)),
    known: list.left,
    config,
    log,
    signals: withoutGenerations(signals),
    process: { version: readVersion(), baseDir },
    schema: emptySchema(),
  })
  return kernel.drivers
}

/** Forwards signals of plugins, except those of generations: this kernel has an empty schema, and serves nothing. */
function withoutGenerations(signals: Signals): Signals {
  const own = createSignals()
  own.subscribe((signal) => {
    if (signal.type !== 'generation-loaded') signals.emit(signal)
  })
  return own
}

function speaks({ manifest }: ListedPlugin, url: string): boolean {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase()
  return manifest.databaseSchemes?.includes(scheme) === true
}

import { type ListedPlugin, loadPlugins } from '../config/plugin-list.ts'
import type { DatabaseDriver } from '../contract/database.ts'
import { createScope, type ScopeTarget, tooEarly } from '../kernel/create-scope.ts'
import { createGenerationBuilder } from '../kernel/generation.ts'
import { createHookRegistry } from '../kernel/hooks.ts'
import { Moments } from '../kernel/moments.ts'
import { createLonePeers } from '../kernel/peers.ts'
import { RouteTable } from '../kernel/route-table.ts'
import type { Log } from '../kernel/scope.ts'
import { MetricsRegistry } from '../signals/metrics-registry.ts'
import type { Signals } from '../signals/signals.ts'
import type { Project } from './load-project.ts'

/**
 * Sets up only the plugins that offer a driver for a URL, so that a database can be reached without a
 * service around it.
 * @param url default: that of `[database]`
 * @returns the drivers that their manifests say speak the URL; all there are when none does, for the text of the error
 */
export async function loadDrivers(
  project: Project,
  signals: Signals,
  log: Log,
  url = project.config.database.url ?? '',
): Promise<readonly DatabaseDriver[]> {
  const { list } = project
  const offering = list.listed.filter(({ manifest }) => manifest.databaseSchemes !== undefined)
  const fitting = offering.filter((plugin) => speaks(plugin, url))
  const candidates = fitting.length > 0 ? fitting : offering
  const target = createDriverTarget(project, signals, log)
  for (const { plugin, options } of await loadPlugins(candidates)) {
    const { scope, end } = createScope(plugin.manifest, target)
    await plugin.setup(scope, options as never)
    end()
  }
  return target.drivers
}

function speaks({ manifest }: ListedPlugin, url: string): boolean {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase()
  return manifest.databaseSchemes?.includes(scheme) === true
}

function createDriverTarget({ config, baseDir, list }: Project, signals: Signals, log: Log): ScopeTarget {
  const names = new Set(list.listed.map(({ manifest }) => manifest.name))
  const notRunning = (): never => {
    throw tooEarly('no service is running')
  }
  return {
    config,
    baseDir,
    log,
    signals,
    hooks: createHookRegistry((plugin) => names.has(plugin)),
    generations: createGenerationBuilder(),
    routes: new RouteTable(),
    moments: new Moments(),
    metrics: declareMetrics(list),
    drivers: [],
    observers: [],
    comments: [],
    upgrades: [],
    credentials: [],
    contributions: [],
    provided: new Map(),
    process: Object.freeze({
      get generation() {
        return notRunning()
      },
      draining: false,
      credentials: [],
      startedAt: new Date(),
      version: '',
      workers: { configured: 1, listening: 1 },
      peers: createLonePeers(),
      reload: async () => notRunning(),
      hold: notRunning,
      describeConfig: notRunning,
    }),
    isSealed: () => false,
    run: notRunning,
    explain: notRunning,
    authorize: notRunning,
    sourcesOf: notRunning,
    answerKey: notRunning,
    plan: notRunning,
    identify: notRunning,
    enter: notRunning,
    toPublicError: notRunning,
    database: notRunning,
    databases: notRunning,
    // What a driver holds belongs to the Database, which its caller closes.
    onClose: () => {},
  }
}

function declareMetrics({ listed }: Project['list']): MetricsRegistry {
  const registry = new MetricsRegistry()
  for (const { manifest } of listed) registry.declare(manifest.name, manifest.metrics ?? {})
  return registry
}

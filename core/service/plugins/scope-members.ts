import type { OwnedCredential } from '../../contract/credential.ts'
import type { Database, DatabaseDriver } from '../../contract/database.ts'
import type { OwnedObserver } from '../../contract/observer.ts'
import type { ProcessView } from '../../contract/process.ts'
import type { Log, PluginMetrics, Scope } from '../../contract/scope.ts'
import type { OwnedComment } from '../../contract/statement-comment.ts'
import type { OwnedUpgrade } from '../../contract/upgrade.ts'
import type { OwnedContribution } from '../../contract/write-contribution.ts'
import type { HostMembers, Registration } from '../../kernel/create-scope.ts'
import type { MetricsRegistry } from '../signals/metrics-registry.ts'
import { checkContribution } from './check-contribution.ts'
import { addCredential } from './credential-table.ts'
import { checkObserver } from './observers.ts'
import type { RouteTable } from './route-table.ts'
import type { ServiceLog } from './service-kernel-options.ts'
import { addUpgrade } from './upgrade-table.ts'

/**
 * State that the scopes of all plugins share: the tables of their registrations (routes, credentials, observers …) and the objects of the
 * service that a scope exposes. The registrations of the kernel are not included.
 */
export interface ServiceTarget extends Pick<Scope, 'config' | 'signals' | 'engine' | 'pipeline'> {
  readonly log: ServiceLog
  readonly routes: RouteTable
  readonly metrics: MetricsRegistry
  readonly drivers: DatabaseDriver[]
  readonly observers: OwnedObserver[]
  readonly comments: OwnedComment[]
  readonly upgrades: OwnedUpgrade[]
  readonly credentials: OwnedCredential[]
  readonly contributions: OwnedContribution[]
  readonly process: ProcessView
  /** Returns the open database. @throws SvcError SVC_SCOPE_PHASE: it is not open yet */
  database(): Database
}

/**
 * Creates the members of a plugin's scope that concern the service and the engine, such as `route` and `observe`. The
 * kernel adds the others.
 * @param target state that the scopes of all plugins share
 */
export function createMembers(
  target: ServiceTarget,
  { manifest: { name }, during, perGeneration }: Registration,
): HostMembers {
  return {
    config: target.config,
    log: withPlugin(target.log, name),
    signals: target.signals,
    process: target.process,
    engine: target.engine,
    pipeline: target.pipeline,
    metrics: metricsOf(name, target.metrics),
    database: target.database,
    route(route) {
      during('route')
      target.routes.add(name, route)
    },
    routes(build) {
      during('routes')
      target.routes.addSlot(name, perGeneration(build))
    },
    upgrade(path, handler, options) {
      during('upgrade')
      addUpgrade(target.upgrades, { ...options, plugin: name, path, handler })
    },
    credentials(credential) {
      during('credentials')
      addCredential(target.credentials, name, credential)
    },
    observe(observer) {
      during('observe')
      const checked = checkObserver(name, observer)
      target.observers.push({ plugin: name, observer: checked })
      const { logFields, statementComment } = checked
      if (logFields !== undefined) target.log.addFields?.(logFields.bind(checked))
      if (statementComment !== undefined) target.comments.push({ plugin: name, read: statementComment.bind(checked) })
    },
    writes(contribution) {
      during('writes')
      target.contributions.push(checkContribution(name, contribution))
    },
    driver(driver) {
      during('driver')
      target.drivers.push(driver)
    },
  }
}

function metricsOf(plugin: string, registry: MetricsRegistry): PluginMetrics {
  return Object.freeze({
    counter: (metric) => registry.counter(plugin, metric)(),
    counterBy: (metric) => registry.counter(plugin, metric),
    histogram: (metric) => registry.histogram(plugin, metric)(),
    histogramBy: (metric) => registry.histogram(plugin, metric),
    gauge: (metric, read) => registry.gauge(plugin, metric, read),
    collect: () => registry.collect(),
  } satisfies PluginMetrics)
}

/** Adds the name of the plugin to every line. */
function withPlugin(log: Log, plugin: string): Log {
  return Object.freeze({
    debug: (fields, message) => log.debug({ plugin, ...fields }, message),
    info: (fields, message) => log.info({ plugin, ...fields }, message),
    warn: (fields, message) => log.warn({ plugin, ...fields }, message),
    error: (fields, message) => log.error({ plugin, ...fields }, message),
  } satisfies Log)
}

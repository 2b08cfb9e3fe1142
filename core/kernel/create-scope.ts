import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean } from '../base/util/nearest.ts'
import type { Config } from '../contract/config.ts'
import type { OwnedCredential } from '../contract/credential.ts'
import type { Database, DatabaseDriver } from '../contract/database.ts'
import type { Engine } from '../contract/engine.ts'
import type { OwnedContribution } from '../contract/write-contribution.ts'
import type { MetricsRegistry } from '../service/signals/metrics-registry.ts'
import type { Signals } from '../service/signals/signals.ts'
import { checkContribution } from './check-contribution.ts'
import { addCredential } from './credential-table.ts'
import type { Pipeline } from './entrance.ts'
import type { GenerationBuilder } from './generation.ts'
import type { HookRegistry } from './hooks.ts'
import type { KernelLog } from './kernel-options.ts'
import type { Manifest } from './manifest.ts'
import type { Moments } from './moments.ts'
import { checkObserver, type OwnedObserver } from './observer.ts'
import type { RouteTable } from './route-table.ts'
import type { Log, PluginMetrics, ProcessView, Provided, Scope } from './scope.ts'
import type { Kind, MaybePromise, Runner, Stage, StageHandle } from './stages.ts'
import type { OwnedComment } from './statement-comment.ts'
import { addUpgrade, type OwnedUpgrade } from './upgrade-table.ts'

/** What the scopes of all plugins write into. */
export interface ScopeTarget {
  readonly config: Config
  readonly log: KernelLog
  readonly signals: Signals
  readonly hooks: HookRegistry
  readonly generations: GenerationBuilder
  readonly routes: RouteTable
  readonly moments: Moments
  readonly metrics: MetricsRegistry
  readonly drivers: DatabaseDriver[]
  readonly observers: OwnedObserver[]
  readonly comments: OwnedComment[]
  readonly upgrades: OwnedUpgrade[]
  readonly credentials: OwnedCredential[]
  readonly contributions: OwnedContribution[]
  /** By key: the owner and what it provided. */
  readonly provided: Map<string, { readonly plugin: string; readonly value: unknown }>
  readonly process: ProcessView
  /** Are the chains compiled? */
  isSealed(): boolean
  readonly engine: Engine
  readonly pipeline: Pipeline
  /** @throws SvcError SVC_SCOPE_PHASE where it is not open */
  database(): Database
  onClose(plugin: string, close: () => MaybePromise<void>): void
}

/** A plugin's scope, and the function that ends its set-up. */
export interface OpenScope {
  readonly scope: Scope
  /** From here on every call that would register something throws SVC_SCOPE_PHASE. */
  end(): void
}

/** Makes what one plugin sees while it is set up. */
export function createScope(manifest: Manifest, target: ScopeTarget): OpenScope {
  const { name, dependencies = [], after = [] } = manifest
  let open = true

  function during(call: string, code = 'SVC_SCOPE_PHASE'): void {
    if (open) return
    throw new SvcError(code, `Plugin "${name}" called scope.${call} after its set-up; everything is sealed by then.`)
  }

  function take(key: string, declared: readonly string[], call: string): unknown {
    during(call)
    const found = target.provided.get(key)
    if (found === undefined) return undefined
    if (found.plugin === name || declared.includes(found.plugin)) return found.value
    throw new SvcError(
      'SVC_USE_UNDECLARED',
      `Plugin "${name}" uses "${key}" of plugin "${found.plugin}" without declaring it: ` +
        `add "${found.plugin}" to the \`dependencies\` (or \`after\`) of its manifest.`,
    )
  }

  const scope: Scope = {
    plugin: name,
    config: target.config,
    log: withPlugin(target.log, name),
    signals: target.signals,
    process: target.process,
    on(stage, handler, options) {
      during('on', 'SVC_HOOK_INVALID')
      target.hooks.add(manifest, stage, handler, options)
    },
    stage<S extends Stage>(stage: S, kind: Kind): StageHandle<S> {
      during('stage', 'SVC_HOOK_INVALID')
      target.hooks.declare(name, stage, kind)
      return {
        get run() {
          if (!target.isSealed()) throw tooEarly(`the stage "${stage}" of plugin "${name}" is not compiled`)
          return target.hooks.runner(stage) as Runner<S> | null
        },
      }
    },
    provide(key, value) {
      during('provide')
      const other = target.provided.get(key)
      if (other !== undefined) {
        const message = `Plugin "${name}" provides "${key}", which plugin "${other.plugin}" provides already.`
        throw new SvcError('SVC_PROVIDE_DUPLICATE', message)
      }
      target.provided.set(key, { plugin: name, value })
    },
    use<K extends keyof Provided & string>(key: K, options?: { readonly optional: true }): Provided[K] {
      const isOptional = options?.optional === true
      const value = take(key, isOptional ? [...dependencies, ...after] : dependencies, 'use')
      if (value !== undefined || isOptional) return value as Provided[K]
      throw new SvcError(
        'SVC_USE_UNDECLARED',
        `Plugin "${name}" uses "${key}", which no plugin set up before it provides.` +
          `${didYouMean(key, target.provided.keys())} Declare its owner in \`dependencies\`, so that it comes first.`,
      )
    },
    route(route) {
      during('route')
      target.routes.add(name, route)
    },
    upgrade(path, handler, options) {
      during('upgrade')
      addUpgrade(target.upgrades, { ...options, plugin: name, path, handler })
    },
    credentials(credential) {
      during('credentials')
      addCredential(target.credentials, name, credential)
    },
    routes(build) {
      during('routes')
      target.routes.addSlot(name, target.generations.add(name, build))
    },
    perGeneration(build, options) {
      during('perGeneration')
      return target.generations.add(name, build, options)
    },
    engine: target.engine,
    pipeline: target.pipeline,
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
    database: target.database,
    metrics: metricsOf(name, target.metrics),
    onReady(ready) {
      during('onReady')
      target.moments.onReady(name, ready)
    },
    onDrain(drain) {
      during('onDrain')
      target.moments.onDrain(name, drain)
    },
    onClose(close) {
      during('onClose')
      target.onClose(name, close)
    },
  }
  return {
    scope: Object.freeze(scope),
    end() {
      open = false
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

/** Every line of a plugin says which one it is. */
function withPlugin(log: Log, plugin: string): Log {
  return Object.freeze({
    debug: (fields, message) => log.debug({ plugin, ...fields }, message),
    info: (fields, message) => log.info({ plugin, ...fields }, message),
    warn: (fields, message) => log.warn({ plugin, ...fields }, message),
    error: (fields, message) => log.error({ plugin, ...fields }, message),
  } satisfies Log)
}

/** @returns SvcError SVC_SCOPE_PHASE */
export function tooEarly(what: string): SvcError {
  return new SvcError(
    'SVC_SCOPE_PHASE',
    `Not before boot is over: ${what}. Use it in onReady, hooks and routes, not in set-up.`,
  )
}

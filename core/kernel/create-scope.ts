import { SvcError } from '../errors/svc-error.ts'
import type { Database, DatabaseDriver } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import type { Signals } from '../signals/signals.ts'
import { didYouMean } from '../util/nearest.ts'
import type { GenerationBuilder } from './generation.ts'
import type { HookRegistry } from './hooks.ts'
import type { Manifest } from './manifest.ts'
import type { Log, ProcessView, Provided, Route, Scope } from './scope.ts'
import type { Kind, MaybePromise, Runner, Stage, StageHandle } from './stages.ts'

/** A route and the plugin that mounted it. */
export interface OwnedRoute extends Route {
  readonly plugin: string
}

/** What the scopes of all plugins write into. */
export interface ScopeTarget {
  readonly config: Readonly<Record<string, unknown>>
  readonly log: Log
  readonly signals: Signals
  readonly hooks: HookRegistry
  readonly generations: GenerationBuilder
  readonly routes: OwnedRoute[]
  readonly drivers: DatabaseDriver[]
  /** By key: the owner and what it provided. */
  readonly provided: Map<string, { readonly plugin: string; readonly value: unknown }>
  readonly process: ProcessView
  /** Are the chains compiled? */
  isSealed(): boolean
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
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
    on(stage, handler) {
      during('on', 'SVC_HOOK_INVALID')
      target.hooks.add(manifest, stage, handler)
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
    use<K extends keyof Provided & string>(key: K) {
      const value = take(key, dependencies, 'use')
      if (value !== undefined) return value as Provided[K]
      throw new SvcError(
        'SVC_USE_UNDECLARED',
        `Plugin "${name}" uses "${key}", which no plugin set up before it provides.` +
          `${didYouMean(key, target.provided.keys())} Declare its owner in \`dependencies\`, so that it comes first.`,
      )
    },
    useOptional<K extends keyof Provided & string>(key: K) {
      return take(key, [...dependencies, ...after], 'useOptional') as Provided[K] | undefined
    },
    route(route) {
      during('route')
      const same = target.routes.find(({ method, path }) => method === route.method && path === route.path)
      if (same !== undefined) {
        const message = `Plugin "${name}" mounts ${route.method} ${route.path}, which plugin "${same.plugin}" has mounted already.`
        throw new SvcError('SVC_ROUTE_DUPLICATE', message)
      }
      target.routes.push(Object.freeze({ ...route, plugin: name }))
    },
    perGeneration(build) {
      during('perGeneration')
      return target.generations.add(name, build)
    },
    run: target.run,
    driver(driver) {
      during('driver')
      target.drivers.push(driver)
    },
    database: target.database,
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
  return new SvcError('SVC_SCOPE_PHASE', `Not before boot is over: ${what}. Use it in hooks and routes, not in set-up.`)
}

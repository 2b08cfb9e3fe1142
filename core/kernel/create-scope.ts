import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean } from '../base/util/nearest.ts'
import type { MaybePromise } from '../base/util/promise.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { Provided, Scope } from '../contract/scope.ts'
import type { Kind, Runner, Stage, StageHandle } from '../contract/stages.ts'
import type { GenerationBuilder } from './generation.ts'
import type { HookRegistry } from './hooks.ts'
import type { Lifecycle } from './lifecycle.ts'

/** Names of the members of a scope that the kernel itself supplies. The service supplies the others. */
export type KernelMember =
  | 'plugin'
  | 'on'
  | 'stage'
  | 'provide'
  | 'use'
  | 'perGeneration'
  | 'onReady'
  | 'onDrain'
  | 'onClose'
/** Members of a scope that the service supplies (`KernelOptions.members`), such as `route` and `database`. */
export type HostMembers = Omit<Scope, KernelMember>

/** One plugin during its set-up. The service creates its members of the plugin's scope from this. */
export interface Registration {
  readonly manifest: Manifest
  /** Throws SVC_SCOPE_PHASE unless the plugin's set-up is running. @param call called member, for the message */
  during(call: string): void
  /** Derives a value from each loaded schema for the plugin, as `scope.perGeneration` does. */
  readonly perGeneration: Scope['perGeneration']
}

/** Where the scopes of all plugins register hooks, provided values and life-cycle functions. */
export interface ScopeTarget {
  readonly hooks: HookRegistry
  readonly generations: GenerationBuilder
  readonly lifecycle: Lifecycle
  /** Values that plugins provide with `scope.provide`, with the plugin's name, by key. */
  readonly provided: Map<string, { readonly plugin: string; readonly value: unknown }>
  /** Tests whether all set-ups are complete and hooks are combined per stage, so that stages can run. */
  isSealed(): boolean
  members(registration: Registration): HostMembers
  onClose(plugin: string, close: () => MaybePromise<void>): void
}

/** The scope of a plugin (its interface to svc), and a function that ends the plugin's set-up. */
export interface OpenScope {
  readonly scope: Scope
  /** Ends the set-up of the plugin. Members of the scope that register something throw SVC_SCOPE_PHASE from then on. */
  end(): void
}

/**
 * Creates the scope of one plugin: the interface to svc that its set-up function receives.
 * @param target receives what the plugin registers with the scope
 */
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

  const perGeneration: Scope['perGeneration'] = (build, options) => target.generations.add(name, build, options)
  const own: Pick<Scope, KernelMember> = {
    plugin: name,
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
    perGeneration(build, options) {
      during('perGeneration')
      return perGeneration(build, options)
    },
    onReady(ready) {
      during('onReady')
      target.lifecycle.onReady(name, ready)
    },
    onDrain(drain) {
      during('onDrain')
      target.lifecycle.onDrain(name, drain)
    },
    onClose(close) {
      during('onClose')
      target.onClose(name, close)
    },
  }
  const scope: Scope = { ...target.members({ manifest, during, perGeneration }), ...own }
  return {
    scope: Object.freeze(scope),
    end() {
      open = false
    },
  }
}

/** Creates the error SVC_SCOPE_PHASE for a call during boot. @param what reason: `there is no engine` */
export function tooEarly(what: string): SvcError {
  return new SvcError(
    'SVC_SCOPE_PHASE',
    `Not before boot is over: ${what}. Use it in onReady, hooks and routes, not in set-up.`,
  )
}

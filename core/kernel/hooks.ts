import { blame } from '../base/errors/blame.ts'
import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { MutationModel } from '../schema/model.ts'
import type { HookOptions } from './hook-options.ts'
import { type AnyFunction, type Hook, KINDS, type SettleReport } from './kinds.ts'
import type { Manifest } from './manifest.ts'
import { heldToPublicError } from './public-error-hook.ts'
import { CORE_STAGES, type Kind, POSITIONS, type Position } from './stages.ts'

/** The hooks of a kernel. Plugins add hooks during set-up; then each stage is compiled into one function. */
export interface HookRegistry {
  /** Adds a stage of a plugin. @throws SVC_HOOK_INVALID */
  declare(owner: string, name: string, kind: Kind): void
  /** Adds a handler. @throws SVC_HOOK_INVALID */
  add(plugin: Manifest, name: string, handler: unknown, options?: HookOptions): void
  /** Compiles all chains. Nothing can be added afterwards. */
  seal(report: SettleReport): void
  /** Returns the compiled chain of a stage; `null`: it has no hooks. Call it after {@link HookRegistry.seal}. */
  runner(name: string): AnyFunction | null
  /**
   * Returns the chain of the hooks whose `HookOptions.mutations` selects a mutation; `null`: there are none. Call it after
   * {@link HookRegistry.seal}.
   */
  runnerFor(name: string, mutation: MutationModel): AnyFunction | null
  /** Returns every stage with its kind, and its plugins in the order in which they run, for `svc plugins --hooks`. */
  describe(): readonly HookChain[]
}

/** Description of a stage. */
export interface HookChain {
  readonly stage: string
  /** `observe`: a part of the pipeline that observers watch, and no stage for hooks. */
  readonly kind: Kind | 'observe'
  /** Plugin that declared the stage; `null`: the kernel. */
  readonly owner: string | null
  readonly plugins: readonly string[]
  /** Requested position of each plugin; `null`: none. */
  readonly positions: readonly (Position | null)[]
}

interface PlacedHook extends Hook {
  readonly position: Position | null
  readonly isFor: ((mutation: MutationModel) => boolean) | null
}

interface StageEntry {
  readonly kind: Kind
  readonly owner: string | null
  readonly hooks: PlacedHook[]
}

type Loose<T> = { readonly [K in keyof T]: T[K] | null }

const invalid = (message: string) => new SvcError('SVC_HOOK_INVALID', message)

/** Creates an empty registry with the stages of the kernel. @param isEnabled tests whether a plugin is in the list */
export function createHookRegistry(isEnabled: (plugin: string) => boolean): HookRegistry {
  const stages = new Map<string, StageEntry>()
  const runners = new Map<string, AnyFunction>()
  let reportTo = null as SettleReport | null
  for (const [name, kind] of Object.entries(CORE_STAGES)) stages.set(name, { kind, owner: null, hooks: [] })

  /** Checks that a plugin declares the owner of a stage. @returns `false`: the owner is declared, but not in the list */
  function checkOwner(plugin: Manifest, name: string): boolean {
    const separator = name.indexOf(':')
    if (separator === -1) return true
    const owner = name.slice(0, separator)
    // Every plugin may hook stages of the kernel such as `mutation:before`. The part before the colon is then no plugin.
    if (Object.keys(CORE_STAGES).some((stage) => stage.startsWith(`${owner}:`))) return true
    if (owner === plugin.name) return true
    if (plugin.dependencies?.includes(owner) || plugin.after?.includes(owner)) return isEnabled(owner)
    throw invalid(
      `Plugin "${plugin.name}" hooks "${name}" of plugin "${owner}" without declaring it: ` +
        `add "${owner}" to the \`dependencies\` (or \`after\`) of its manifest.${didYouMean(name, stages.keys())}`,
    )
  }

  return {
    declare(owner, name, kind) {
      if (!name.startsWith(`${owner}:`) || !/^[a-z][\w-]*$/.test(name.slice(owner.length + 1))) {
        throw invalid(`Plugin "${owner}" adds the stage "${name}"; its name must be "${owner}:<moment>".`)
      }
      if (stages.has(name)) throw invalid(`Plugin "${owner}" adds the stage "${name}" twice.`)
      if (!Object.hasOwn(KINDS, kind)) {
        const known = listNames(Object.keys(KINDS))
        throw invalid(`Plugin "${owner}" adds the stage "${name}" of the unknown kind "${kind}"; kinds: ${known}.`)
      }
      stages.set(name, { kind, owner, hooks: [] })
    },
    add(plugin, name, handler, options = {}) {
      const { position = null, mutations = null }: Loose<HookOptions> = options
      if (typeof handler !== 'function') {
        throw invalid(`Plugin "${plugin.name}" hooks "${name}" with a value that is no function (${typeof handler}).`)
      }
      const stage = stages.get(name)
      if (!checkOwner(plugin, name)) return
      if (stage === undefined) {
        throw invalid(
          `Plugin "${plugin.name}" hooks the unknown stage "${name}".${didYouMean(name, stages.keys())} ` +
            `Stages: ${listNames(stages.keys())}.`,
        )
      }
      if (!POSITIONS.includes(position as Position)) {
        const known = POSITIONS.filter((each) => each !== null)
        throw invalid(
          `Plugin "${plugin.name}" hooks "${name}" at the unknown position "${String(position)}".` +
            `${didYouMean(String(position), known)} Positions: ${listNames(known)}.`,
        )
      }
      if (mutations !== null && (typeof mutations !== 'function' || !name.startsWith('mutation:'))) {
        throw invalid(
          `Plugin "${plugin.name}" hooks "${name}" with "mutations", which is a function, and for mutation:before and mutation:after.`,
        )
      }
      stage.hooks.push({
        isFor: mutations,
        plugin: plugin.name,
        handler: name === 'error:public' ? heldToPublicError(handler as AnyFunction) : (handler as AnyFunction),
        position: position as Position | null,
      })
    },
    seal(report) {
      reportTo = report
      for (const [name, { kind, hooks }] of stages) {
        // A stable sort: hooks with equal positions keep the order of set-up.
        hooks.sort((a, b) => POSITIONS.indexOf(a.position) - POSITIONS.indexOf(b.position))
        if (hooks.length > 0) runners.set(name, KINDS[kind](Object.freeze(hooks), report))
      }
    },
    runner(name) {
      return runners.get(name) ?? null
    },
    runnerFor(name, mutation) {
      const { kind, hooks } = stages.get(name)!
      const own = hooks.filter((hook) => hook.isFor === null || asks(hook, hook.isFor, mutation))
      if (own.length === hooks.length) return runners.get(name) ?? null
      return own.length === 0 ? null : KINDS[kind](Object.freeze(own), reportTo!)
    },
    describe() {
      return [...stages].map(([stage, { kind, owner, hooks }]) => ({
        stage,
        kind,
        owner,
        plugins: hooks.map((hook) => hook.plugin),
        positions: hooks.map((hook) => hook.position),
      }))
    },
  }
}

function asks({ plugin }: Hook, isFor: (mutation: MutationModel) => boolean, mutation: MutationModel): boolean {
  try {
    return isFor(mutation) === true
  } catch (error) {
    throw blame(error, plugin)
  }
}

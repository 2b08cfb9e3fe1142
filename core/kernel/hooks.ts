import { blame } from '../base/errors/blame.ts'
import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { HookOptions } from '../contract/hook-options.ts'
import type { HookChain } from '../contract/kernel.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { AnyFunction, StageDefinition } from '../contract/stage-definition.ts'
import type { Kind, Position } from '../contract/stages.ts'
import { type Hook, KINDS, type SettleReport } from './kinds.ts'

/** Collects the hooks of all plugins during set-up, and then combines those of each stage into one function. */
export interface HookRegistry {
  /** Adds a stage `<plugin>:<name>` that belongs to a plugin. @throws SVC_HOOK_INVALID for another form of name */
  declare(owner: string, name: string, kind: Kind): void
  /** Adds a plugin's hook to a stage. @throws SVC_HOOK_INVALID: unknown stage or option, or undeclared dependency */
  add(plugin: Manifest, name: string, handler: unknown, options?: HookOptions): void
  /** Combines the hooks of each stage into one function; no hook can be added afterwards. */
  seal(report: SettleReport): void
  /** Returns the function that runs all hooks of a stage; `null`: there are none. Call {@link seal} before. */
  runner(name: string): AnyFunction | null
  /** As {@link runner}, only for the hooks that apply to `subject`, such as one operation; `null`: there are none. */
  runnerFor(name: string, subject: object): AnyFunction | null
  /** Returns every stage with the plugins that hook it, in the order in which they run, for `svc plugins --hooks`. */
  describe(): readonly HookChain[]
}

interface PlacedHook extends Hook {
  readonly position: Position | null
  /** Selects subjects; `null`: the hook runs for all. */
  readonly isFor: Select | null
}

/** Function of a selecting option of `scope.on`. */
type Select = (subject: object) => boolean

interface StageEntry extends StageDefinition {
  readonly owner: string | null
  readonly hooks: PlacedHook[]
}

/** Positions, the outermost first. `null`: a hook without a position. */
const POSITIONS: readonly (Position | null)[] = ['measure', 'guard', null, 'cache', 'share']

const invalid = (message: string) => new SvcError('SVC_HOOK_INVALID', message)

/**
 * Creates a registry without hooks.
 * @param definitions the stages of the service by name, which every plugin may hook
 * @param isEnabled tests whether a plugin runs. A hook on a stage of another plugin that does not run has no effect
 */
export function createHookRegistry(
  definitions: Readonly<Record<string, StageDefinition>>,
  isEnabled: (plugin: string) => boolean,
): HookRegistry {
  const stages = new Map<string, StageEntry>()
  const runners = new Map<string, AnyFunction>()
  let reportTo = null as SettleReport | null
  for (const [name, definition] of Object.entries(definitions))
    stages.set(name, { ...definition, owner: null, hooks: [] })

  /** Checks that a plugin declares the owner of a stage. @returns `false`: the owner is declared, but not in the list */
  function checkOwner(plugin: Manifest, name: string): boolean {
    const separator = name.indexOf(':')
    if (separator === -1) return true
    const owner = name.slice(0, separator)
    // Every plugin may hook the host's stages. The part before the colon of their names is no plugin.
    if (Object.keys(definitions).some((stage) => stage.startsWith(`${owner}:`))) return true
    if (owner === plugin.name) return true
    if (plugin.dependencies?.includes(owner) || plugin.after?.includes(owner)) return isEnabled(owner)
    throw invalid(
      `Plugin "${plugin.name}" hooks "${name}" of plugin "${owner}" without declaring it: ` +
        `add "${owner}" to the \`dependencies\` (or \`after\`) of its manifest.${didYouMean(name, stages.keys())}`,
    )
  }

  /** Returns the value of the selecting option of a hook. @throws SVC_HOOK_INVALID for no function, or another stage's option */
  function selectOf(plugin: string, name: string, options: HookOptions): Select | null {
    const values = options as Readonly<Record<string, unknown>>
    for (const option of new Set([...stages.values()].map(({ selector }) => selector))) {
      const value = option === undefined ? null : (values[option] ?? null)
      if (value === null) continue
      if (typeof value === 'function' && stages.get(name)!.selector === option) return value as Select
      const fitting = [...stages.keys()].filter((stage) => stages.get(stage)!.selector === option).join(' and ')
      throw invalid(`Plugin "${plugin}" hooks "${name}" with "${option}", which is a function, and for ${fitting}.`)
    }
    return null
  }

  return {
    declare(owner, name, kind) {
      if (!name.startsWith(`${owner}:`) || !/^[a-z][\w-]*$/.test(name.slice(owner.length + 1))) {
        throw invalid(`Plugin "${owner}" adds the stage "${name}"; its name must be "${owner}:<name>".`)
      }
      if (stages.has(name)) throw invalid(`Plugin "${owner}" adds the stage "${name}" twice.`)
      if (!Object.hasOwn(KINDS, kind)) {
        const known = listNames(Object.keys(KINDS))
        throw invalid(`Plugin "${owner}" adds the stage "${name}" of the unknown kind "${kind}"; kinds: ${known}.`)
      }
      stages.set(name, { kind, owner, hooks: [] })
    },
    add(plugin, name, handler, options = {}) {
      const { position = null } = options as { readonly position?: Position | null }
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
      if (!POSITIONS.includes(position)) {
        const known = POSITIONS.filter((each) => each !== null)
        throw invalid(
          `Plugin "${plugin.name}" hooks "${name}" at the unknown position "${String(position)}".` +
            `${didYouMean(String(position), known)} Positions: ${listNames(known)}.`,
        )
      }
      stage.hooks.push({
        isFor: selectOf(plugin.name, name, options),
        plugin: plugin.name,
        handler: stage.wrap?.(handler as AnyFunction) ?? (handler as AnyFunction),
        position,
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
    runnerFor(name, subject) {
      const { kind, hooks } = stages.get(name)!
      const own = hooks.filter((hook) => hook.isFor === null || selects(hook, hook.isFor, subject))
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

function selects({ plugin }: Hook, isFor: Select, subject: object): boolean {
  try {
    return isFor(subject) === true
  } catch (error) {
    throw blame(error, plugin)
  }
}

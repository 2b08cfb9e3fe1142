import type { BootTiming, HookChain, SetUpPlugin } from '../../contract/kernel.ts'

/** The plugins of a service and their hooks, as `svc plugins` prints them. */
export interface KernelDescription {
  /** Plugins in the order of set-up. */
  readonly plugins: readonly PluginDescription[]
  /** Every stage and observed part, each with its plugins in the order in which they run. */
  readonly hooks: readonly HookChain[]
}

export interface PluginDescription {
  readonly name: string
  readonly version: string
  readonly description: string
  /** What enabled the plugin in the configuration: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  readonly why: string | null
  readonly dependencies: readonly string[]
  /** Names of the stages and observed parts for which the plugin has hooks. */
  readonly stages: readonly string[]
  /**
   * Milliseconds from the start of the boot until the set-up of the plugin began. `durationMs` is how long the set-up
   * took.
   */
  readonly startMs: number
  readonly durationMs: number
}

/**
 * Combines what `svc plugins` prints about each plugin: manifest, hooks and time of its set-up.
 * @param plugins plugins in the order of set-up
 */
export function describePlugins(
  plugins: readonly SetUpPlugin[],
  hooks: readonly HookChain[],
  timings: readonly BootTiming[],
): KernelDescription {
  return {
    hooks,
    plugins: plugins.map(({ manifest, source, why }) => {
      const { name, version, description, dependencies = [] } = manifest
      const timing = timings.find(({ plugin }) => plugin === name)
      return {
        name,
        version,
        description,
        source,
        why: why ?? null,
        dependencies,
        stages: hooks.filter((chain) => chain.plugins.includes(name)).map((chain) => chain.stage),
        startMs: timing?.startMs ?? 0,
        durationMs: timing?.durationMs ?? 0,
      }
    }),
  }
}

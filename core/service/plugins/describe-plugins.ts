import type { BootTiming, HookChain, SetUpPlugin } from '../../contract/kernel.ts'

/** Plugins and hooks of a kernel, as `svc plugins` prints them. */
export interface KernelDescription {
  /** Plugins in the order of set-up. */
  readonly plugins: readonly PluginDescription[]
  /** Every stage, with its plugins in the order in which they run. */
  readonly hooks: readonly HookChain[]
}

export interface PluginDescription {
  readonly name: string
  readonly version: string
  readonly description: string
  /** Origin in the configuration: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  readonly why: string | null
  readonly dependencies: readonly string[]
  /** Stages that the plugin hooks. */
  readonly stages: readonly string[]
  /** Milliseconds from the start of the boot to the start of the set-up; `durationMs`: length of the set-up. */
  readonly startMs: number
  readonly durationMs: number
}

/** Describes the plugins of a kernel. */
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

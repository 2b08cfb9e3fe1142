import type { BootTiming } from './boot.ts'
import type { HookChain } from './hooks.ts'
import type { Manifest } from './manifest.ts'

/** What `svc plugins` prints. */
export interface KernelDescription {
  /** In the order of set-up. */
  readonly plugins: readonly PluginDescription[]
  /** Every stage with its chain, in the order of run. */
  readonly hooks: readonly HookChain[]
}

export interface PluginDescription {
  readonly name: string
  readonly version: string
  readonly description: string
  /** Where it comes from: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  readonly why: string | null
  readonly dependencies: readonly string[]
  /** Stages that it hooks. */
  readonly stages: readonly string[]
  /** Milliseconds from the start of the boot, and for the set-up itself. */
  readonly startMs: number
  readonly durationMs: number
}

/** Puts together what the kernel knows of its plugins. */
export function describePlugins(
  plugins: readonly { readonly manifest: Manifest; readonly source: string; readonly why?: string }[],
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

import type { Generation } from '../contract/generation.ts'
import type { SealedStages } from '../contract/kernel.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { StageDefinition } from '../contract/stage-definition.ts'
import type { HostMembers, Registration } from './create-scope.ts'
import type { BootFault } from './faults.ts'
import type { KnownPlugin } from './order.ts'

/** A plugin in the list of plugins. */
export interface PluginInstance {
  readonly plugin: Plugin<never>
  /** Value of the plugin's section, or `options` of its `use` entry. The kernel validates it and adds defaults. */
  readonly options: unknown
  /** Origin in the configuration: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  /** Additional reason that `svc plugins` prints for the plugin. */
  readonly why?: string
}

/** Time limits of the kernel, in milliseconds. */
export interface KernelTimeouts {
  /** Limit for the set-up of one plugin in milliseconds; 0: no limit. Default 30,000. */
  readonly setUp?: number
  /** Limit in milliseconds for running hooks of `settle` stages on close. Default 10,000. */
  readonly settle?: number
  /** Limit in milliseconds for `drain` to wait for each plugin. Default 10,000. */
  readonly drain?: number
}

/** Receives failures that do not end the process. */
export interface KernelReport {
  warn(plugin: string, message: string): void
  /** Called when a hook of a `settle` stage fails. */
  settleFailed(plugin: string, error: unknown): void
}

/** The plugins, and the parts that the host of the kernel supplies: stages, members of scopes, checks, and the step between two set-ups. */
export interface KernelOptions {
  /** Plugins in the order of the list. The kernel sorts them by dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that can be enabled, for messages about missing ones. */
  readonly known?: readonly KnownPlugin[]
  /** Stages that all plugins may hook, in the order in which `svc plugins` lists them. */
  readonly stages: Readonly<Record<string, StageDefinition>>
  /** Creates the host's members of a plugin's scope. Called before the first set-up, once for each plugin. */
  members(registration: Registration): HostMembers
  readonly report: KernelReport
  /** The schema of the first generation. */
  readonly schema: Generation['schema']
  /** Checks a schema against the names of the running plugins. Default: no checks. */
  checkSchema?(schema: Generation['schema'], names: ReadonlySet<string>): readonly BootFault[]
  /** Checks the manifests before the first set-up. Default: only the kernel's own checks. */
  checkManifests?(manifests: readonly Manifest[]): readonly BootFault[]
  /** Selects plugins that are set up before {@link betweenSetUps}, with their dependencies. Default: none. */
  isEarly?(manifest: Manifest): boolean
  /** Runs after the set-up of the early plugins. A throw fails the boot and passes through unchanged. */
  betweenSetUps?(): Promise<void>
  /** Called once, after the last set-up and before the first generation is built. */
  sealed?(stages: SealedStages): void
  /** Called for every generation before it serves requests. An exception rejects the generation. */
  accept?(generation: Generation): void
  /** Called before each step of the boot: `plugin "jwt" was being set up`. */
  readonly onBootStep?: (doing: string) => void
  readonly timeouts?: KernelTimeouts
}

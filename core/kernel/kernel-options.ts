import type { Generation } from '../contract/generation.ts'
import type { SealedStages } from '../contract/kernel.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { StageDefinition } from '../contract/stage-definition.ts'
import type { HostMembers, Registration } from './create-scope.ts'
import type { BootFault } from './faults.ts'
import type { KnownPlugin } from './order.ts'

/** A plugin to run, with its options and the entry of the configuration that enables it. */
export interface PluginInstance {
  readonly plugin: Plugin<never>
  /** Options from the plugin's section of svc.toml or its `use` entry. The kernel validates them and adds defaults. */
  readonly options: unknown
  /** Entry of the configuration that enables the plugin: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  /** Further reason why the plugin runs, which `svc plugins` prints. */
  readonly why?: string
}

/** Time limits of the kernel for code of plugins, in milliseconds. */
export interface KernelTimeouts {
  /** Time limit in milliseconds for the set-up of one plugin; 0: no limit. Default 30,000. */
  readonly setUp?: number
  /** Time limit in milliseconds for hooks of `settle` stages that still run when the process closes. Default 10,000. */
  readonly settle?: number
  /** Time limit in milliseconds for the `onDrain` function of each plugin. Default 10,000. */
  readonly drain?: number
}

/** Receives failures of plugins that do not end the process, for the log. */
export interface KernelReport {
  warn(plugin: string, message: string): void
  /** Called when a hook of a `settle` stage, such as `afterCommit`, fails. */
  settleFailed(plugin: string, error: unknown): void
}

/** Input of `createKernel`: the plugins, and what the service adds to the kernel: stages, members of scopes, checks. */
export interface KernelOptions {
  /** Plugins to run, in the order of the configuration. The kernel sorts them by their dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that are not enabled but could be, for messages about missing plugins. */
  readonly known?: readonly KnownPlugin[]
  /** Stages of the service by name, which every plugin may hook, in the order in which `svc plugins` lists them. */
  readonly stages: Readonly<Record<string, StageDefinition>>
  /**
   * Creates the members of a plugin's scope that the service supplies, such as `route`. Called once for each plugin.
   */
  members(registration: Registration): HostMembers
  readonly report: KernelReport
  /** The schema that is loaded at boot, for the first generation. */
  readonly schema: Generation['schema']
  /** Checks whether a loaded schema fits the running plugins, by their names. @returns the faults */
  checkSchema?(schema: Generation['schema'], names: ReadonlySet<string>): readonly BootFault[]
  /** Checks the manifests before the first set-up, in addition to the kernel's own checks. @returns the faults */
  checkManifests?(manifests: readonly Manifest[]): readonly BootFault[]
  /** Selects plugins to set up before {@link betweenSetUps}, together with their dependencies. Default: none. */
  isEarly?(manifest: Manifest): boolean
  /** Called after the set-up of the early plugins, to open the database with their drivers. A throw fails the boot. */
  betweenSetUps?(): Promise<void>
  /** Called once, when all plugins are set up, before the first generation (loaded schema) is built. */
  sealed?(stages: SealedStages): void
  /** Called for every generation before it serves requests. If it throws, the boot or the reload fails. */
  accept?(generation: Generation): void
  /** Called before each step of the boot, for messages about a crash or hang: `plugin "jwt" was being set up`. */
  readonly onBootStep?: (doing: string) => void
  readonly timeouts?: KernelTimeouts
}

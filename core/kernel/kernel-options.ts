import type { Generation } from '../contract/generation.ts'
import type { SealedStages } from '../contract/kernel.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { StageDefinition } from '../contract/stage-definition.ts'
import type { HostMembers, Registration } from './create-scope.ts'
import type { BootFault } from './faults.ts'
import type { KnownPlugin } from './order.ts'

/** A plugin that shall run, with its options and where they come from. */
export interface PluginInstance {
  readonly plugin: Plugin<never>
  /**
   * The plugin's options from its section in svc.toml or its `use` entry. The kernel validates them and adds defaults.
   */
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
   * Creates the members of a plugin's scope that the service supplies, such as `route`. Called for each plugin before
   * the first set-up.
   */
  members(registration: Registration): HostMembers
  readonly report: KernelReport
  /** The schema that is loaded at boot, for the first generation. */
  readonly schema: Generation['schema']
  /**
   * Checks whether a loaded schema fits the running plugins. Default: no checks.
   * @param names names of the running plugins
   * @returns the faults
   */
  checkSchema?(schema: Generation['schema'], names: ReadonlySet<string>): readonly BootFault[]
  /**
   * Checks the manifests of all plugins before the first set-up, in addition to the kernel's checks.
   * @returns the faults
   */
  checkManifests?(manifests: readonly Manifest[]): readonly BootFault[]
  /**
   * Selects plugins to set up before {@link betweenSetUps}, such as database drivers. Plugins that they depend on are
   * also set up then. Default: none.
   */
  isEarly?(manifest: Manifest): boolean
  /**
   * Called after the set-up of the plugins that {@link isEarly} selects, for example to open the database with their
   * drivers. A throw fails the boot and passes through unchanged.
   */
  betweenSetUps?(): Promise<void>
  /**
   * Called once, when all plugins are set up and the hooks of each stage have been combined, before the first
   * generation is built.
   */
  sealed?(stages: SealedStages): void
  /**
   * Called for every generation (loaded schema) before it serves requests. A throw rejects it: the boot or the reload
   * fails.
   */
  accept?(generation: Generation): void
  /**
   * Called before each step of the boot, so that a message about a crash or hang can name the step.
   * @param doing the step, in the past tense: `plugin "jwt" was being set up`
   */
  readonly onBootStep?: (doing: string) => void
  readonly timeouts?: KernelTimeouts
}

import type { Config } from '../../contract/config.ts'
import type { Database, DatabaseDriver } from '../../contract/database.ts'
import type { Generation } from '../../contract/generation.ts'
import type { Peers } from '../../contract/peers.ts'
import type { WorkersView } from '../../contract/process.ts'
import type { OwnedRoute } from '../../contract/route.ts'
import type { Log } from '../../contract/scope.ts'
import type { Signals } from '../../contract/signals.ts'
import type { KernelTimeouts, PluginInstance } from '../../kernel/kernel-options.ts'
import type { KnownPlugin } from '../../kernel/order.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { ReadLogFields } from '../signals/log.ts'

/**
 * The log of the process. `addFields` registers a function that returns fields for every further line; absent: not
 * supported.
 */
export interface ServiceLog extends Log {
  addFields?(read: ReadLogFields): void
}

/** Facts about the process for `scope.process`, which the code that starts the service passes. */
export interface ProcessOptions {
  /** Version of the svc package. */
  readonly version: string
  /** Absolute path of the folder that relative paths in the configuration refer to. Default: the working directory. */
  readonly baseDir?: string
  /** Returns the configured and listening numbers of processes that serve requests. Default: 1 and 1. */
  readonly workers?: () => WorkersView
  /** Exchanges messages with the other processes of the service. Default: there are none. */
  readonly peers?: Peers
  /** Returns the configuration without secrets. Default: an empty object. */
  readonly describeConfig?: () => Readonly<Record<string, unknown>>
}

/** Options of `createServiceKernel`, which sets up the plugins of a service. */
export interface ServiceKernelOptions {
  /** Plugins to set up. The kernel sorts them by their dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that can be enabled, for messages about missing ones. */
  readonly known?: readonly KnownPlugin[]
  readonly config: Config
  readonly log: ServiceLog
  readonly signals: Signals
  /** Facts about the process, for `scope.process`. */
  readonly process: ProcessOptions
  /** The schema that the service serves until the first reload. */
  readonly schema: SchemaModel
  /**
   * Loads a schema for `scope.process.reload`. Default: reloads fail. @param path path of the compiled schema; default:
   * the configured one
   */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /**
   * Opens the database, after the set-up of the drivers. Default: there is no database.
   * @param drivers drivers that plugins registered
   */
  readonly openDatabase?: (drivers: readonly DatabaseDriver[]) => Promise<Database>
  /** Returns the open databases of `[databases]`, by name. Default: none. */
  readonly databases?: () => ReadonlyMap<string, Database>
  /** Called with the routes of each schema before it serves requests. If it throws, the schema is rejected. */
  readonly mount?: (generation: Generation, routes: readonly OwnedRoute[]) => void
  /** Reloads files other than the schema, such as the TLS certificate, at each reload. It never rejects. */
  readonly reloadOthers?: () => Promise<void>
  /** Called before each step of the boot, with a description for error messages: `plugin "jwt" was being set up`. */
  readonly onBootStep?: (doing: string) => void
  readonly timeouts?: KernelTimeouts
}

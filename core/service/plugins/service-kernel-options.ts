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

/** Log of the process. `addFields`: registers a function whose fields are added to every line. */
export interface ServiceLog extends Log {
  addFields?(read: ReadLogFields): void
}

/** The process around a kernel, for `scope.process`. */
export interface ProcessOptions {
  /** Version of the svc package. */
  readonly version: string
  /** Absolute path of the folder that relative paths in the configuration refer to. Default: the working directory. */
  readonly baseDir?: string
  /** Returns the numbers of serving processes. Default: this process only. */
  readonly workers?: () => WorkersView
  /** Connection to the other serving processes. Default: there are none. */
  readonly peers?: Peers
  /** Returns the configuration without secrets. Default: an empty object. */
  readonly describeConfig?: () => Readonly<Record<string, unknown>>
}

/** Options of `createServiceKernel`. */
export interface ServiceKernelOptions {
  /** Plugins in the order of the list. The kernel sorts them by dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that can be enabled, for messages about missing ones. */
  readonly known?: readonly KnownPlugin[]
  readonly config: Config
  readonly log: ServiceLog
  readonly signals: Signals
  /** The process, for `scope.process` of plugins. */
  readonly process: ProcessOptions
  /** The schema of the first generation. */
  readonly schema: SchemaModel
  /** Loads a schema for `process.reload`. @param path compiled schema; default: the configured one */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** Opens the database after the set-up of the drivers. Default: there is none. */
  readonly openDatabase?: (drivers: readonly DatabaseDriver[]) => Promise<Database>
  /** Returns the open databases of `[databases]`, by name. Default: none. */
  readonly databases?: () => ReadonlyMap<string, Database>
  /** Mounts the routes of a generation before it serves. A throw rejects the generation. */
  readonly mount?: (generation: Generation, routes: readonly OwnedRoute[]) => void
  /** Reloads files that are not part of the schema, at each reload. Never rejects. */
  readonly reloadOthers?: () => Promise<void>
  /** Called before each step of the boot with its description: `plugin "jwt" was being set up`. */
  readonly onBootStep?: (doing: string) => void
  readonly timeouts?: KernelTimeouts
}

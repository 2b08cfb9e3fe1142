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

/** The process around a kernel, as `scope.process` shows it. */
export interface ProcessOptions {
  /** The svc package's version. */
  readonly version: string
  /** Absolute path that relative paths in the configuration start from. Default: the working directory. */
  readonly baseDir?: string
  /** The processes that serve. Default: this one. */
  readonly workers?: () => WorkersView
  /** The way to the other processes that serve. Default: there are none. */
  readonly peers?: Peers
  /** The configuration as it may be shown. Default: an empty object. */
  readonly describeConfig?: () => Readonly<Record<string, unknown>>
}

/** Options of `createServiceKernel`. */
export interface ServiceKernelOptions {
  /** In the order of the list. The kernel sorts by dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that can be enabled, for messages about missing ones. */
  readonly known?: readonly KnownPlugin[]
  readonly config: Config
  readonly log: ServiceLog
  readonly signals: Signals
  /** What plugins see of the process. */
  readonly process: ProcessOptions
  /** The schema of the first generation. */
  readonly schema: SchemaModel
  /** Loads a schema for `process.reload`. @param path compiled schema; default: the configured one */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** Opens the database, once the drivers are set up. Default: there is none. */
  readonly openDatabase?: (drivers: readonly DatabaseDriver[]) => Promise<Database>
  /** Returns the open databases of `[databases]`, by name. Default: none. */
  readonly databases?: () => ReadonlyMap<string, Database>
  /** Mounts the routes of a generation before it serves. A throw rejects the generation. */
  readonly mount?: (generation: Generation, routes: readonly OwnedRoute[]) => void
  /** Loads again, at every reload, what is no part of the schema; never rejects. */
  readonly reloadOthers?: () => Promise<void>
  /** Called before each step of the boot: `plugin "jwt" was being set up`. */
  readonly onBootStep?: (doing: string) => void
  readonly timeouts?: KernelTimeouts
}

import type { Database, DatabaseDriver } from '../contract/database.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { ReadLogFields } from '../signals/log-fields.ts'
import type { Signals } from '../signals/signals.ts'
import type { KnownPlugin } from './order.ts'
import type { Peers } from './peers.ts'
import type { Plugin } from './plugin.ts'
import type { OwnedRoute } from './route-table.ts'
import type { Log, WorkersView } from './scope.ts'

/** A plugin of the list. */
export interface PluginInstance {
  readonly plugin: Plugin<never>
  /** The value of its section, or the `options` of its `use` entry. Checked and default-filled by the kernel. */
  readonly options: unknown
  /** Where it comes from: `preset standard`, `enable`, `use ./audit.ts`. */
  readonly source: string
  /** More about why it is in the list, for `svc plugins`. */
  readonly why?: string
}

/** The process's log; `addFields` where its lines can carry more than they are given. */
export interface KernelLog extends Log {
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

/** Milliseconds. */
export interface KernelTimeouts {
  /** How long the set-up of one plugin may take; 0 = without a limit. Default 30,000. */
  readonly setUp?: number
  /** How long close waits for `afterCommit` hooks that are still running. Default 10,000. */
  readonly settle?: number
  /** How long `drain` waits for each plugin. Default 10,000. */
  readonly drain?: number
}

export interface KernelOptions {
  /** In the order of the list; the kernel sorts by dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that could be had, for the text of a missing one. */
  readonly known?: readonly KnownPlugin[]
  readonly config: Readonly<Record<string, unknown>>
  readonly log: KernelLog
  readonly signals: Signals
  /** What plugins see of the process. */
  readonly process: ProcessOptions
  /** The schema of the first generation. */
  readonly schema: SchemaModel
  /** Loads a schema again, for `process.reload`. @param path another artifact than the configured one */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** Opens the database, once the drivers are set up. Default: there is none. */
  readonly openDatabase?: (drivers: readonly DatabaseDriver[]) => Promise<Database>
  /** The databases of `[databases]`, by name, once they are open. Default: there are none. */
  readonly databases?: () => ReadonlyMap<string, Database>
  /** Takes the routes of a generation before it serves. A throw refuses it. */
  readonly mount?: (generation: Generation, routes: readonly OwnedRoute[]) => void
  /** Loads again, at every reload, what is no part of the schema; never rejects. */
  readonly reloadOthers?: () => Promise<void>
  /** Called before each step of the boot: `plugin "jwt" was being set up`. */
  readonly onBootStep?: (doing: string) => void
  readonly timeouts?: KernelTimeouts
}

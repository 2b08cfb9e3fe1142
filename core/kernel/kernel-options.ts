import type { Database, DatabaseDriver } from '../contract/database.ts'
import type { Auth, Exchange } from '../contract/exchange.ts'
import type { ExplainOptions, Explanation } from '../contract/explanation.ts'
import type { Operation } from '../contract/operation.ts'
import type { Result } from '../contract/result.ts'
import type { Generation } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { ReadLogFields } from '../signals/log-fields.ts'
import type { Signals } from '../signals/signals.ts'
import type { Enter } from './entrance.ts'
import type { KnownPlugin } from './order.ts'
import type { Peers } from './peers.ts'
import type { Plugin } from './plugin.ts'
import type { OwnedRoute } from './route-table.ts'
import type { Kernel } from './running-kernel.ts'
import type { Log, WorkersView } from './scope.ts'
import type { MaybePromise } from './stages.ts'

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

export interface KernelOptions {
  /** In the order of the list; the kernel sorts by dependencies. */
  readonly plugins: readonly PluginInstance[]
  /** Plugins that could be had, for the text of a missing one. */
  readonly known?: readonly KnownPlugin[]
  readonly config: Readonly<Record<string, unknown>>
  /** Absolute path that relative paths in the configuration start from. Default: the working directory. */
  readonly baseDir?: string
  readonly log: KernelLog
  readonly signals: Signals
  /** The svc package's version. */
  readonly version: string
  /** The processes that serve, as `ProcessView.workers` shows them. Default: this one. */
  readonly workers?: () => WorkersView
  /** The way to the other processes that serve. Default: there are none. */
  readonly peers?: Peers
  /** The configuration as it may be shown: `ProcessView.describeConfig`. Default: nothing is. */
  readonly describeConfig?: () => Readonly<Record<string, unknown>>
  /** The schema of the first generation. */
  readonly schema: SchemaModel
  /** Loads a schema again, for `process.reload`. @param path another artifact than the configured one */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** Opens the database, once the drivers are set up. Default: there is none until `setDatabase`. */
  readonly openDatabase?: (drivers: readonly DatabaseDriver[]) => Promise<Database>
  /** The databases of `[databases]`, by name, once they are open. Default: there are none. */
  readonly databases?: () => ReadonlyMap<string, Database>
  /** Takes the routes of a generation before it serves. A throw refuses it. */
  readonly mount?: (generation: Generation, routes: readonly OwnedRoute[]) => void
  /** The guarded way to data: authorize and resolve (core/lifecycle). */
  readonly run: (kernel: Kernel, exchange: Exchange, operation: Operation) => MaybePromise<Result>
  /** What an operation would do, guarded as `run` is. Default: nobody can say. */
  readonly explain?: (exchange: Exchange, operation: Operation, options: ExplainOptions) => Promise<Explanation>
  /** The guards of an operation alone (core/lifecycle). Default: nobody can say. */
  readonly authorize?: (exchange: Exchange, operation: Operation) => MaybePromise<Operation>
  /** What a query reads (core/execute). Default: nobody can say. */
  readonly readSources?: (exchange: Exchange, operation: Operation) => readonly string[]
  /** Key of what is kept of its answer (core/execute). */
  readonly answerKey?: (exchange: Exchange, operation: Operation) => string | null
  /** Plans it before anybody asks for it (core/execute). */
  readonly plan?: (exchange: Exchange, operation: Operation) => Promise<void>
  /** Who asks, before it is due (core/lifecycle). Default: who is known already. */
  readonly identify?: (exchange: Exchange) => MaybePromise<Auth | null>
  /** The way in for what is no HTTP request (core/lifecycle). */
  readonly enter: Enter
  /** Loads again, at every reload, what is no part of the schema; never rejects. */
  readonly reloadOthers?: () => Promise<void>
  /** Called before each step of the boot: `plugin "jwt" was being set up`. */
  readonly onBootStep?: (doing: string) => void
  /** How long one plugin's set-up may take, in milliseconds; 0 = for ever. Default 30,000. */
  readonly setupTimeoutMs?: number
  /** How long close waits for `afterCommit` hooks that are still running, in milliseconds. Default 10,000. */
  readonly settleTimeoutMs?: number
  /** How long `drain` waits for each plugin, in milliseconds. Default 10,000. */
  readonly drainTimeoutMs?: number
}

import type { Counter, GaugeReader, Histogram, Metric, SeriesOf } from '../base/util/instruments.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Stages } from './all-stages.ts'
import type { Config } from './config.ts'
import type { Credential } from './credential.ts'
import type { Database, DatabaseDriver } from './database.ts'
import type { Engine } from './engine.ts'
import type { GenerationSlot } from './generation.ts'
import type { HookOptions } from './hook-options.ts'
import type { Observer } from './observer.ts'
import type { Pipeline } from './pipeline.ts'
import type { ProcessView } from './process.ts'
import type { Provided } from './provided.ts'
import type { Route } from './route.ts'
import type { Signals } from './signals.ts'
import type { Handler, MaybePromise, Stage, StageHandle } from './stages.ts'
import type { UpgradeHandler, UpgradeOptions } from './upgrade.ts'
import type { WriteContribution } from './write-contribution.ts'

export type { Provided } from './provided.ts'

/** A structured log. `fields` precede the message, as in pino. */
export interface Log {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** Options of `scope.perGeneration`. */
export interface SlotOptions<T> {
  /**
   * Disposes of the value once its generation has no users: another generation has replaced it and its last request has ended, or the
   * process closes. A failure becomes a warning with the plugin's name.
   */
  readonly dispose?: (value: T) => MaybePromise<void>
}

/** The counters, histograms and gauges of one plugin, as its manifest declares them. @throws SVC_METRIC_INVALID for others */
export interface PluginMetrics {
  /** Returns a counter without labels. */
  counter(name: string): Counter
  /** Returns a counter with labels. */
  counterBy(name: string): SeriesOf<Counter>
  /** Returns a histogram without labels. */
  histogram(name: string): Histogram
  /** Returns a histogram with labels. */
  histogramBy(name: string): SeriesOf<Histogram>
  /** Sets the function that reads a gauge when metrics are collected. */
  gauge(name: string, read: GaugeReader): void
  /**
   * Returns the metrics of all plugins, for a plugin that exports them. The first call starts the counting; allowed
   * after boot.
   */
  collect(): readonly Metric[]
}

/** The services of the kernel for one plugin during its set-up. */
export interface Scope {
  /** Name of the plugin. */
  readonly plugin: string
  /**
   * The checked configuration, frozen, with secrets in clear: never log it. The plugin's own options come as the second argument of its
   * set-up. A plugin that reads the section of another plugin declares that one in `dependencies` or `after`.
   */
  readonly config: Config
  readonly log: Log
  readonly signals: Signals
  /** Adds a hook, during set-up only. @throws SVC_HOOK_INVALID */
  on<S extends Stage>(stage: S, handler: Handler<S>, options?: HookOptions): void
  /**
   * Adds a stage of this plugin, named `<plugin>:<name>` and typed by declaration merging into `Stages`. Only plugins that declare
   * this one in `dependencies` or `after` may hook it.
   * @throws SVC_HOOK_INVALID
   */
  stage<S extends Stage & `${string}:${string}`>(name: S, kind: Stages[S]['kind']): StageHandle<S>
  /** Provides a value to the plugins that depend on this one. @throws SVC_PROVIDE_DUPLICATE */
  provide<K extends keyof Provided & string>(key: K, value: Provided[K]): void
  /**
   * Returns a value that a declared dependency provides.
   * @param options `optional`: `undefined` when the owner is not in the list; it may be declared as a soft dependency (`after`)
   * @throws SVC_USE_UNDECLARED
   */
  use<K extends keyof Provided & string>(key: K): Provided[K]
  use<K extends keyof Provided & string>(key: K, options: { readonly optional: true }): Provided[K] | undefined
  /** Mounts a route. @throws SVC_ROUTE_DUPLICATE */
  route(route: Route): void
  /**
   * Handles upgrade requests at a path, such as those of WebSockets, after onRequest and authenticate. A route may have the same path.
   * @throws SVC_ROUTE_DUPLICATE, SVC_ROUTE_INVALID
   */
  upgrade(path: string, handler: UpgradeHandler, options?: UpgradeOptions): void
  /**
   * Describes a credential that this plugin verifies in `authenticate`. `Vary` headers, OpenAPI documents and transports other than HTTP
   * use it. Call it once for each header or cookie. `scope.process.credentials` lists those of all plugins.
   * @throws SVC_CREDENTIAL_INVALID
   */
  credentials(credential: Credential): void
  /**
   * Derives a value from the schema, once for each generation and before it serves. A throw rejects the generation and the old one keeps
   * serving; at boot it fails the boot.
   */
  perGeneration<T>(build: (schema: SchemaModel) => MaybePromise<T>, options?: SlotOptions<T>): GenerationSlot<T>
  /**
   * Mounts routes that are derived from the schema and live as long as its generation. A duplicate route rejects the generation, as a
   * throw of `perGeneration` does.
   */
  routes(build: (schema: SchemaModel) => MaybePromise<readonly Route[]>): void
  /**
   * The guarded way to data. Call it in `onReady`, hooks and routes: its members throw SVC_SCOPE_PHASE before boot is over, but may be
   * handed on during set-up.
   */
  readonly engine: Engine
  /** Entry for exchanges other than HTTP requests, identification of callers, and conversion of errors. */
  readonly pipeline: Pipeline
  /**
   * Adds an observer, which watches parts of every request without influence: tracing, timing. Parts without observers cost nothing. The
   * first observer is the outermost.
   * @throws SVC_HOOK_INVALID
   */
  observe(observer: Observer): void
  /**
   * Requests more data of each write than `afterCommit` receives by default: the row before it; or adds a row to a table of the plugin.
   * @throws SVC_WRITES_INVALID
   */
  writes(contribution: WriteContribution): void
  /** Adds a database driver. The boot uses the driver that accepts the configured URL. */
  driver(driver: DatabaseDriver): void
  /**
   * Returns the open database. It is available after the drivers are set up: in the set-up of all other plugins, in `onReady`, hooks and
   * routes. `svc plugins` boots without a database.
   * @throws SVC_SCOPE_PHASE when it is not open
   */
  database(): Database
  /** The metrics that the manifest declares. */
  readonly metrics: PluginMetrics
  /** The current generation, and the state of the process. */
  readonly process: ProcessView
  /**
   * Adds a function that runs after all set-ups, when the database is open and before the service listens, for example to open a listener.
   * They run in the order of set-up; a throw fails the boot.
   */
  onReady(ready: () => MaybePromise<void>): void
  /**
   * Adds a function that runs when the shutdown begins, while HTTP drains: accept no new work and finish running work. The shutdown waits
   * for it up to `server.shutdown_timeout_ms`. A failure becomes a warning.
   */
  onDrain(drain: () => MaybePromise<void>): void
  /** Adds a function that runs when the process closes, in reverse order of set-up; also when a later plugin fails to boot. */
  onClose(close: () => MaybePromise<void>): void
}

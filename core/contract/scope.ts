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

/** The structured log of svc. As in pino, `fields` precede the message and become members of the log line. */
export interface Log {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** Options of a value that is derived from each schema: second argument of `scope.perGeneration`. */
export interface SlotOptions<T> {
  /**
   * Frees the value when its schema is not in use any more: a reload has replaced the schema and its last request has
   * ended, or the process closes. A failure becomes a warning with the plugin's name.
   */
  readonly dispose?: (value: T) => MaybePromise<void>
}

/**
 * The counters, histograms and gauges that a plugin declares in its manifest, by name.
 * @throws SVC_METRIC_INVALID for a name that is not declared
 */
export interface PluginMetrics {
  /** Returns the counter of this name, which has no labels. */
  counter(name: string): Counter
  /** Returns a function that selects the counter for given values of its labels. */
  counterBy(name: string): SeriesOf<Counter>
  /** Returns the histogram of this name, which has no labels. */
  histogram(name: string): Histogram
  /** Returns a function that selects the histogram for given values of its labels. */
  histogramBy(name: string): SeriesOf<Histogram>
  /**
   * Sets the function that returns the current value of a gauge, or one sample per combination of labels. It is called
   * whenever metrics are exported.
   */
  gauge(name: string, read: GaugeReader): void
  /**
   * Returns the metrics of all plugins, for a plugin that exports them. Counting begins with the first call. It may
   * also be called after boot.
   */
  collect(): readonly Metric[]
}

/**
 * Everything that svc offers to one plugin: the first argument of its set-up function. Members that register something
 * may be called only during set-up.
 */
export interface Scope {
  /** Name of the plugin that this scope belongs to. */
  readonly plugin: string
  /**
   * The configuration of the service, frozen. It contains secrets in plain text: never log it. The plugin's own options
   * are the second argument of its set-up function. To read the section of another plugin, declare that plugin in
   * `dependencies` or `after`.
   */
  readonly config: Config
  readonly log: Log
  readonly signals: Signals
  /**
   * Adds a hook to a stage: `handler` runs whenever svc reaches the stage. Call it during set-up.
   * @throws SVC_HOOK_INVALID: unknown stage or option, or a stage of a plugin that is not declared as a dependency
   */
  on<S extends Stage>(stage: S, handler: Handler<S>, options?: HookOptions): void
  /**
   * Adds a stage of this plugin, which other plugins can hook if they declare this one in `dependencies` or `after`.
   * Its types come from the interface `Stages`, by declaration merging.
   * @param name `<plugin>:<name>`
   * @param kind how the hooks of the stage are combined
   * @returns the stage, whose hooks this plugin runs
   * @throws SVC_HOOK_INVALID: another form of name, or an unknown kind
   */
  stage<S extends Stage & `${string}:${string}`>(name: S, kind: Stages[S]['kind']): StageHandle<S>
  /**
   * Provides a value to plugins that depend on this one; they read it with `use`.
   * @throws SVC_PROVIDE_DUPLICATE: another plugin provides a value under the key
   */
  provide<K extends keyof Provided & string>(key: K, value: Provided[K]): void
  /**
   * Returns the value that another plugin provides under a key. Declare that plugin in `dependencies`.
   * @throws SVC_USE_UNDECLARED: the plugin is not declared there, or provides no such value
   */
  use<K extends keyof Provided & string>(key: K): Provided[K]
  /**
   * Returns the value that another plugin provides under a key; `undefined`: that plugin does not run. Declare it in
   * `dependencies` or `after`.
   * @throws SVC_USE_UNDECLARED: the plugin is not declared there
   */
  use<K extends keyof Provided & string>(key: K, options: { readonly optional: true }): Provided[K] | undefined
  /** Adds an HTTP route. @throws SVC_ROUTE_DUPLICATE when another plugin has a route with the same method and path */
  route(route: Route): void
  /**
   * Handles requests to change the protocol (WebSocket) at a path. The hooks of `onRequest` and `authenticate` run
   * before the handler. An HTTP route may have the same path.
   * @throws SVC_ROUTE_DUPLICATE: a handler for the path exists; SVC_ROUTE_INVALID: the path is invalid
   */
  upgrade(path: string, handler: UpgradeHandler, options?: UpgradeOptions): void
  /**
   * Declares a header or cookie with a credential that this plugin verifies in `authenticate`. svc uses it for `Vary`
   * headers, OpenAPI documents and transports other than HTTP. Call it once for each header or cookie.
   * `scope.process.credentials` lists those of all plugins.
   * @throws SVC_CREDENTIAL_INVALID: invalid name or scheme, or an id that another credential has
   */
  credentials(credential: Credential): void
  /**
   * Derives a value from each loaded schema, at boot and at each reload, before the schema serves requests. A throw
   * makes the loading fail: at boot the boot fails; at a reload the old schema keeps serving.
   * @param build returns the value for a schema
   * @returns reads the value of a request's schema: `slot.of(exchange.generation)`
   */
  perGeneration<T>(build: (schema: SchemaModel) => MaybePromise<T>, options?: SlotOptions<T>): GenerationSlot<T>
  /**
   * Adds HTTP routes that depend on the schema. The function is called for each loaded schema, and its routes exist as
   * long as that schema serves. A throw or a duplicate route makes the loading of the schema fail, as in {@link
   * perGeneration}.
   */
  routes(build: (schema: SchemaModel) => MaybePromise<readonly Route[]>): void
  /**
   * Runs operations (queries and mutations) on the data, with authorization. Its methods throw SVC_SCOPE_PHASE before
   * the boot is complete, so call them in `onReady`, hooks and routes.
   */
  readonly engine: Engine
  /**
   * The steps around the engine, for plugins that serve a protocol: entry for requests that did not arrive over HTTP,
   * identification of the caller, conversion of errors.
   */
  readonly pipeline: Pipeline
  /**
   * Adds an observer, which watches steps of every request for tracing or timing and cannot change them. If several
   * plugins observe, the first one that was added is the outermost.
   * @throws SVC_HOOK_INVALID: a member is no function, or no step of a request
   */
  observe(observer: Observer): void
  /**
   * Requests more data about each write than `afterCommit` hooks get by default, such as the row before the write. It
   * can also insert a row into a table of the plugin for each write.
   * @throws SVC_WRITES_INVALID: an unknown key, an invalid name of a table or column, or nothing requested
   */
  writes(contribution: WriteContribution): void
  /** Adds a database driver. svc opens each configured database with the driver that accepts its URL. */
  driver(driver: DatabaseDriver): void
  /**
   * Returns the open database of `[database]`. It is open in the set-up of all plugins except drivers and those that
   * drivers depend on, in `onReady`, hooks and routes. In `svc plugins`, no database is open.
   * @throws SVC_SCOPE_PHASE when it is not open
   */
  database(): Database
  /** The metrics that the plugin declares in its manifest. */
  readonly metrics: PluginMetrics
  /** State of the process and the service: the current schema, the databases, shutdown, reload, other processes. */
  readonly process: ProcessView
  /**
   * Adds a function that runs before the service listens, after the set-up of all plugins. The database is open. The
   * functions run in the order of set-up; a throw fails the boot.
   */
  onReady(ready: () => MaybePromise<void>): void
  /**
   * Adds a function that runs when the shutdown begins, while open HTTP requests finish. It should accept no new work
   * and finish running work. The shutdown waits for it up to `server.shutdown_timeout_ms`. A failure becomes a warning.
   */
  onDrain(drain: () => MaybePromise<void>): void
  /**
   * Adds a function that runs when the process closes, also after a failed boot. The functions run in reverse order of
   * set-up.
   */
  onClose(close: () => MaybePromise<void>): void
}

import type { Credential } from '../contract/credential.ts'
import type { Database, DatabaseDriver } from '../contract/database.ts'
import type { Engine } from '../contract/engine.ts'
import type { HttpExchange } from '../contract/http-exchange.ts'
import type { Reply } from '../contract/reply.ts'
import type { UpgradeHandler } from '../contract/upgrade.ts'
import type { WriteContribution } from '../contract/write-contribution.ts'
import type { GenerationSlot } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Counter, Histogram, Metric } from '../signals/instruments.ts'
import type { GaugeReader, SeriesOf } from '../signals/metrics-registry.ts'
import type { Signals } from '../signals/signals.ts'
import type { Pipeline } from './entrance.ts'
import type { HookOptions } from './hook-options.ts'
import type { Observer } from './observer.ts'
import type { ProcessView } from './process.ts'
import type { Handler, MaybePromise, Stage, StageHandle, Stages } from './stages.ts'
import type { UpgradeOptions } from './upgrade-table.ts'

export type * from './process.ts'

/**
 * What plugins hand each other, by key. A plugin that provides something adds the key by declaration merging:
 *
 *     declare module 'svc' { interface Provided { clock: Clock } }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Provided {}

/** An HTTP route. There is no way to mount one outside the pipeline. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** find-my-way syntax: `/users/:id`. */
  readonly path: string
  readonly handler: (ctx: HttpExchange) => MaybePromise<Reply>
  /**
   * Renders an error that was thrown on this route, before or inside its handler, in the shape of this front.
   * Default: REST's `{ "error": { code, message, details } }`.
   */
  readonly renderError?: (ctx: HttpExchange, error: unknown) => Reply
  /** `true`: health, metrics. Skips `authenticate`, because the route reveals nothing; never use it for data. */
  readonly anonymous?: boolean
  /**
   * Who refuses what pages of other sites send. `own`: the handler, which takes no credential that browsers add by themselves, or
   * checks where a request comes from. `operation`: everything that the route does is an operation, and is refused when it is
   * authorized, so that a missing credential or a bad body is said first. Default: refused before the handler runs.
   */
  readonly crossSite?: 'own' | 'operation'
  /** `true`: gives way to another plugin's route in the same place, instead of SVC_ROUTE_DUPLICATE. */
  readonly fallback?: boolean
  /**
   * `true`: answers every path below `path` that no route has, by any method, with an error that says what there is (NOT_FOUND). `ctx.route` is
   * `null` there.
   */
  readonly unmatched?: boolean
}

/** A structured log line writer. `fields` come first, as in pino. */
export interface Log {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** How a value that belongs to one generation is let go. */
export interface SlotOptions<T> {
  /**
   * Runs once nobody uses the generation any more: another has taken its place and its last request has left, or the
   * process closes. A failure is reported under the plugin's name.
   */
  readonly dispose?: (value: T) => MaybePromise<void>
}

/** The counters, histograms and gauges of one plugin, as its manifest declares them. @throws SVC_METRIC_INVALID for others */
export interface PluginMetrics {
  /** A counter without labels. */
  counter(name: string): Counter
  /** A counter with labels. */
  counterBy(name: string): SeriesOf<Counter>
  /** A histogram without labels. */
  histogram(name: string): Histogram
  /** A histogram with labels. */
  histogramBy(name: string): SeriesOf<Histogram>
  /** Sets the function that reads a gauge when metrics are collected. */
  gauge(name: string, read: GaugeReader): void
  /** The metrics of all plugins, for a plugin that exports them. The first call starts the counting; allowed after boot. */
  collect(): readonly Metric[]
}

/** All that a plugin sees while it is set up. */
export interface Scope {
  /** The plugin's own name. */
  readonly plugin: string
  /** The resolved configuration, frozen, secrets in clear: never log it. Own options come as the second argument. */
  readonly config: Readonly<Record<string, unknown>>
  readonly log: Log
  readonly signals: Signals
  /** Adds a hook. Only while the plugin is set up. @throws SVC_HOOK_INVALID */
  on<S extends Stage>(stage: S, handler: Handler<S>, options?: HookOptions): void
  /**
   * Adds a stage of the plugin's own, named `<plugin>:<moment>` and typed by declaration merging into `Stages`. Only
   * plugins that declare this one in `dependencies` or `after` may hook it.
   * @throws SVC_HOOK_INVALID
   */
  stage<S extends Stage & `${string}:${string}`>(name: S, kind: Stages[S]['kind']): StageHandle<S>
  /** Hands something to the plugins that depend on this one. @throws SVC_PROVIDE_DUPLICATE */
  provide<K extends keyof Provided & string>(key: K, value: Provided[K]): void
  /**
   * Takes what a declared dependency provided.
   * @param options `optional`: `undefined` when the owner is not in the list; it may be declared as a soft dependency (`after`)
   * @throws SVC_USE_UNDECLARED
   */
  use<K extends keyof Provided & string>(key: K): Provided[K]
  use<K extends keyof Provided & string>(key: K, options: { readonly optional: true }): Provided[K] | undefined
  /** Mounts a route. @throws SVC_ROUTE_DUPLICATE */
  route(route: Route): void
  /**
   * Takes the connections that ask for an upgrade at this path (a WebSocket), after onRequest and authenticate. It may be
   * the path of a route, too.
   * @throws SVC_ROUTE_DUPLICATE, SVC_ROUTE_INVALID
   */
  upgrade(path: string, handler: UpgradeHandler, options?: UpgradeOptions): void
  /**
   * Says how callers bring a credential that this plugin verifies in `authenticate`: answers are kept apart by it, documents
   * describe it, and other ways in than HTTP take it. Once for each header or cookie that it reads. Those of all plugins:
   * `scope.process.credentials`.
   * @throws SVC_CREDENTIAL_INVALID
   */
  credentials(credential: Credential): void
  /**
   * Derives something from the schema, once per generation, before the generation goes live. A throw keeps the old
   * generation (at boot: fails the boot).
   */
  perGeneration<T>(build: (schema: SchemaModel) => MaybePromise<T>, options?: SlotOptions<T>): GenerationSlot<T>
  /**
   * Mounts the routes that follow from the schema: they come with a generation and go with it. A path that another
   * plugin has is refused like any throw of `perGeneration`.
   */
  routes(build: (schema: SchemaModel) => MaybePromise<readonly Route[]>): void
  /**
   * The guarded way to data. Call it in `onReady`, hooks and routes: its members throw SVC_SCOPE_PHASE before boot is over, but may be
   * handed on during set-up.
   */
  readonly engine: Engine
  /** The way in for other exchanges than HTTP requests, the caller of a request, and the way out for errors. */
  readonly pipeline: Pipeline
  /**
   * Looks on from around the parts of every request, without a say: tracing, timing. What nobody observes costs nothing.
   * Of several observers the first stands outermost.
   * @throws SVC_HOOK_INVALID
   */
  observe(observer: Observer): void
  /**
   * Asks for more of each write than `afterCommit` is told: the row before it, a row in a table of the plugin's own.
   * @throws SVC_WRITES_INVALID
   */
  writes(contribution: WriteContribution): void
  /** Offers a database driver. Boot picks the one that accepts the configured URL. */
  driver(driver: DatabaseDriver): void
  /**
   * The opened database. It is there once the drivers are set up: in the set-up of every other plugin, in `onReady`, in
   * hooks and routes. `svc plugins` boots without one.
   * @throws SVC_SCOPE_PHASE where it is not open
   */
  database(): Database
  /** The metrics that the manifest declares. */
  readonly metrics: PluginMetrics
  /** The current generation, and whether the process is shutting down. */
  readonly process: ProcessView
  /**
   * Runs when everything is set up and the database is open, before the service listens: the place to open a listener
   * of one's own. In the order of set-up; a throw fails the boot.
   */
  onReady(ready: () => MaybePromise<void>): void
  /**
   * Runs when the process begins to stop, beside the draining of HTTP: stop taking work, finish what is in flight. Close
   * waits for it as long as for HTTP requests (`server.shutdown_timeout_ms`); a failure is reported.
   */
  onDrain(drain: () => MaybePromise<void>): void
  /** Runs when the process closes, in reverse order of set-up; also when a later plugin fails to boot. */
  onClose(close: () => MaybePromise<void>): void
}

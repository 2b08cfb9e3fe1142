import type { Credential } from '../contract/credential.ts'
import type { Database, DatabaseDriver } from '../contract/database.ts'
import type { Auth, Exchange } from '../contract/exchange.ts'
import type { ExplainOptions, Explanation } from '../contract/explanation.ts'
import type { HttpExchange } from '../contract/http-exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { ToPublicError } from '../contract/public-error.ts'
import type { Reply } from '../contract/reply.ts'
import type { Result } from '../contract/result.ts'
import type { UpgradeHandler } from '../contract/upgrade.ts'
import type { WriteContribution } from '../contract/write-contribution.ts'
import type { GenerationSlot } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Counter, Histogram, Metric } from '../signals/instruments.ts'
import type { ReadLogFields } from '../signals/log-fields.ts'
import type { GaugeReader, SeriesOf } from '../signals/metrics-registry.ts'
import type { Signals } from '../signals/signals.ts'
import type { Enter } from './entrance.ts'
import type { HookOptions } from './hook-options.ts'
import type { Observer } from './observer.ts'
import type { ProcessView } from './process.ts'
import type { Handler, MaybePromise, Stage, StageHandle, Stages } from './stages.ts'
import type { ReadStatementComment } from './statement-comment.ts'
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

/** All that a plugin sees while it is set up. */
export interface Scope {
  /** The plugin's own name. */
  readonly plugin: string
  /** The resolved configuration, frozen, secrets in clear: never log it. Own options come as the second argument. */
  readonly config: Readonly<Record<string, unknown>>
  /** Absolute folder of svc.toml, which relative paths in the configuration start from. */
  readonly baseDir: string
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
  /** Takes what a declared dependency provided. @throws SVC_USE_UNDECLARED */
  use<K extends keyof Provided & string>(key: K): Provided[K]
  /** Takes what a soft dependency (`after`) provided, or `undefined` when it is not in the list. */
  useOptional<K extends keyof Provided & string>(key: K): Provided[K] | undefined
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
   * Runs an operation through authorize and resolve: the one guarded pipeline, the only way to data. A throw of
   * authorize rejects; failures of single roots are in `result.errors`.
   */
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
  /**
   * What an operation would do, without doing it: plan, SQL with its values, how the database would run it. Authorized like
   * running it; it still is for operators alone, and whoever calls this guards it.
   * @throws as `run`; SvcError DATABASE_ERROR where the database explains nothing
   */
  explain(exchange: Exchange, operation: Operation, options?: ExplainOptions): Promise<Explanation>
  /**
   * The guards of an operation, without running it: who may not ask is told so by the same throw. For what is answered
   * later, as a subscription is, and for lists of what a caller may use.
   * @returns the operation as it may be answered: masked, with its `access`
   * @throws as `run` before anything is read
   */
  authorize(exchange: Exchange, operation: Operation): MaybePromise<Operation>
  /**
   * The views and tables that a query reads, as the schema names them: relations, filters across them and
   * `additional_views` included, what a function or authored SQL reads inside not. For hooks of `resolve`, with the operation
   * that they are given: a cache files its answers under them. Kept with the plan.
   * @returns none of a mutation
   * @throws SvcError when the operation cannot be planned
   */
  sourcesOf(exchange: Exchange, operation: Operation): readonly string[]
  /**
   * What an answer is kept under, for hooks of `resolve` with the operation that they are given: a text that is equal for requests
   * whose answers are the same as long as nothing is written, in every process, and for no others. Of the caller it holds what the
   * rules of these rows look at, and nothing else, so that people who see the same share an answer.
   * @returns `null` where nothing may be kept
   * @throws SvcError when the operation cannot be planned
   */
  answerKey(exchange: Exchange, operation: Operation): string | null
  /**
   * Makes the plans of an operation and keeps them with its template, so that the first request that sends such variables finds
   * them. They are those of who sees all of it; nobody is authorized, and the database is asked nothing.
   * @throws SvcError when the operation cannot be planned with these variables
   */
  plan(exchange: Exchange, operation: Operation): Promise<void>
  /**
   * Who asks, as the request's credential says, for hooks of `onRequest`: `authenticate` has not run there yet. `null`:
   * nobody, a credential that is refused when its time comes, or an anonymous route. It is verified once, and again when the headers have
   * changed. Never throws.
   */
  identify(exchange: Exchange): MaybePromise<Auth | null>
  /**
   * Lets an exchange in that is no HTTP request (a message on a socket, a line, an event): onRequest, authenticate, then
   * the handler, which calls `run`. For listeners opened in `onReady`.
   */
  readonly enter: Enter
  /**
   * What clients are told of anything that was thrown, through the hooks of `error:public`. For fronts, which give it its
   * shape: call it once for each error, because it is logged here. Never throws.
   */
  readonly toPublicError: ToPublicError
  /**
   * Looks on from around the parts of every request, without a say: tracing, timing. What nobody observes costs nothing.
   * Of several observers the first stands outermost.
   * @throws SVC_HOOK_INVALID
   */
  observe(observer: Observer): void
  /**
   * Every line of the log carries what this gives while the line is written: of which trace it is. `null` = nothing. It must not
   * throw.
   */
  logFields(read: ReadLogFields): void
  /**
   * Writes a comment behind each statement of an operation, asked as it is sent: `key='value'`, of letters, digits and `_ = ' , . % : -`.
   * A statement with a comment is not prepared and has a connection of its own: comment on few. Drivers without
   * `Database.takesComments` show them nowhere.
   */
  commentStatements(read: ReadStatementComment): void
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
  /** That one, as `default`, and those of `[databases]`, by name. @throws SVC_SCOPE_PHASE where they are not open */
  databases(): ReadonlyMap<string, Database>
  /** A counter that the manifest declares, without labels. @throws SVC_METRIC_INVALID */
  counter(name: string): Counter
  /** The same with labels. @throws SVC_METRIC_INVALID */
  counterBy(name: string): SeriesOf<Counter>
  /** A histogram that the manifest declares, without labels. @throws SVC_METRIC_INVALID */
  histogram(name: string): Histogram
  /** The same with labels. @throws SVC_METRIC_INVALID */
  histogramBy(name: string): SeriesOf<Histogram>
  /** Gives the value of a gauge that the manifest declares, when somebody asks. @throws SVC_METRIC_INVALID */
  gauge(name: string, read: GaugeReader): void
  /** Everything that plugins count, for the plugin that shows it. From here on it is counted. Call it after boot, too. */
  metrics(): readonly Metric[]
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

import type { Database, DatabaseDriver } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'
import type { HttpExchange } from '../front/http-exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Reply } from '../front/reply.ts'
import type { Result } from '../front/result.ts'
import type { Generation, GenerationSlot } from '../schema/generation.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { Signals } from '../signals/signals.ts'
import type { Peers } from './peers.ts'
import type { Handler, MaybePromise, Stage, StageHandle, Stages } from './stages.ts'

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
}

/** A structured log line writer. `fields` come first, as in pino. */
export interface Log {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
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
  on<S extends Stage>(stage: S, handler: Handler<S>): void
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
   * Derives something from the schema, once per generation, before the generation goes live. A throw keeps the old
   * generation (at boot: fails the boot).
   */
  perGeneration<T>(build: (schema: SchemaModel) => MaybePromise<T>): GenerationSlot<T>
  /**
   * Runs an operation through authorize and resolve: the one guarded pipeline, the only way to data. A throw of
   * authorize rejects; failures of single roots are in `result.errors`.
   */
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
  /** Offers a database driver. Boot picks the one that accepts the configured URL. */
  driver(driver: DatabaseDriver): void
  /** The opened database. Only after boot (in hooks and routes), not during set-up. */
  database(): Database
  /** The current generation, and whether the process is shutting down. */
  readonly process: ProcessView
  /** Runs when the process closes, in reverse order of set-up; also when a later plugin fails to boot. */
  onClose(close: () => MaybePromise<void>): void
}

/** What plugins may know about the process. */
export interface ProcessView {
  readonly generation: Generation
  /** `true` from the first SIGTERM on: readiness answers 503. */
  readonly draining: boolean
  readonly startedAt: Date
  /** The svc package's version. */
  readonly version: string
  /** The processes that serve, of which this is one. */
  readonly workers: WorkersView
  /** What plugins ask all of them. */
  readonly peers: Peers
}

/** `server.workers`, as it stands. */
export interface WorkersView {
  readonly configured: number
  /** Those that listen now; fewer while one is started again. */
  readonly listening: number
}

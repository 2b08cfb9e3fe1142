import type { MaybePromise } from '../base/util/promise.ts'
import type { Auth, Exchange } from './exchange.ts'
import type { AnyExchange } from './http-exchange.ts'
import type { Operation } from './operation.ts'
import type { Reply } from './reply.ts'
import type { Result } from './result.ts'
import type { Statement } from './statement.ts'

/**
 * Watches the steps of a request, for tracing, timing and logs
 * (docs/guides/write-a-plugin.md#looking-on-tracing-and-timing). Each method wraps one step: it calls `next()`
 * synchronously, which runs the step and returns its result or promise. An observer has no influence: its return value
 * is ignored, its errors are reported, and the step runs in any case. To decide something, use a hook.
 */
export interface Observer {
  /**
   * Wraps a whole request, over any transport, around the hooks of `onRequest`. The result of `next` is the reply; a
   * failure has already been converted to a reply.
   */
  exchange?(ctx: AnyExchange, next: () => MaybePromise<Reply>): unknown
  /** Wraps the hooks of `authenticate`. Not called when no plugin has such a hook. */
  authenticate?(ctx: Exchange, next: () => MaybePromise<Auth | undefined>): unknown
  /** Wraps the handler of a route, or the handler passed to `scope.pipeline.enter`. */
  handler?(ctx: AnyExchange, route: ObservedRoute, next: () => MaybePromise<Reply>): unknown
  /** Wraps the run of an operation: default policy, `authorize` and `resolve` hooks, planning and execution. */
  operation?(ctx: Exchange, operation: Operation, next: () => MaybePromise<Result>): unknown
  /** Wraps the planning and execution of an operation, inside the hooks of `resolve`. */
  engine?(ctx: Exchange, operation: Operation, next: () => MaybePromise<Result>): unknown
  /**
   * Wraps the planning of an operation and the writing of its SQL, if no plan is cached. The step is synchronous, and a
   * part of that of {@link engine}.
   */
  plan?(work: PlanWork, next: () => unknown): unknown
  /**
   * Wraps the run of one SQL statement, or of a transaction from BEGIN to COMMIT. The statements in a transaction are
   * also wrapped one by one.
   */
  statement?(work: StatementWork, next: () => Promise<unknown>): unknown
  /**
   * Returns fields to add to a log line that is written while the request is served, such as the trace id; `null`:
   * none. Called for each line. Must not throw.
   */
  logFields?(): Readonly<Record<string, unknown>> | null
  /**
   * Returns a comment to append to an SQL statement that is about to be sent, for logs of the database: `key='value'`,
   * of letters, digits and `_ = ' , . % : -`. `null`: none. A statement with a comment is not prepared and needs a
   * connection of its own, so comment only a few. Drivers without `Database.takesComments` ignore it.
   */
  statementComment?(): string | null
}

/** The route whose handler is observed. */
export interface ObservedRoute {
  /** HTTP method. Absent: the request is not an HTTP request. */
  readonly method?: string
  /** Path of the route, with named parameters: `/users/:id`. Absent: the request is not an HTTP request. */
  readonly path?: string
}

export interface PlanWork {
  /** The request whose operation is planned; `null`: none. */
  readonly exchange: object | null
  readonly operation: Operation
  /**
   * Kind of the plan: `read` (a query), `rows` or `columns` (a stream in that form), `write` (a mutation), `sources`
   * (the views and tables that a query reads). Accept other values, for parts of these plans.
   */
  readonly kind: string
}

/** The database that a statement or transaction runs on. */
export interface ObservedDatabase {
  /**
   * Name of the database in the configuration: `default` for `[database]`, otherwise the name of `[databases.<name>]`.
   */
  readonly name: string
  /** Kind of database: `postgres`, `sqlite`, … (`Database.kind`). */
  readonly kind: string
  /**
   * Returns how the database will plan the next run of a statement: `values` or `generic`, as `Database.planning`.
   * Absent: the driver does not choose.
   */
  readonly planning?: (statement: Statement) => 'values' | 'generic' | null
}

export interface StatementWork {
  readonly database: ObservedDatabase
  /** The request that the statement or transaction belongs to; `null`: none. */
  readonly exchange: object | null
  /** The statement that runs; `null`: the step is a whole transaction. */
  readonly statement: Statement | null
  /**
   * `true`: the statement is a part of a transaction that is observed, too. Its time is included in that of the
   * transaction.
   */
  readonly within: boolean
}

/** An observer that a plugin added, with the plugin's name. */
export interface OwnedObserver {
  readonly plugin: string
  readonly observer: Observer
}

import type { MaybePromise } from '../base/util/promise.ts'
import type { Auth, Exchange } from './exchange.ts'
import type { AnyExchange } from './http-exchange.ts'
import type { Operation } from './operation.ts'
import type { Reply } from './reply.ts'
import type { Result } from './result.ts'
import type { Statement } from './statement.ts'

/**
 * Watches parts of a request, for tracing, timing and logs (docs/guides/write-a-plugin.md#looking-on-tracing-and-timing). Each method
 * wraps one part: it calls `next()` synchronously, which returns the result of the part, or its promise. An observer cannot change
 * anything: its return value is ignored, its errors are reported, and the part runs in any case. Use a hook to decide something.
 */
export interface Observer {
  /**
   * Wraps an exchange from entry to reply, around the hooks of `onRequest`, for every transport. A failure has already
   * become a reply.
   */
  exchange?(ctx: AnyExchange, next: () => MaybePromise<Reply>): unknown
  /** Wraps the hooks of `authenticate`, if there are any. */
  authenticate?(ctx: Exchange, next: () => MaybePromise<Auth | undefined>): unknown
  /** Wraps the handler of a route, or of `scope.pipeline.enter`. */
  handler?(ctx: AnyExchange, route: ObservedRoute, next: () => MaybePromise<Reply>): unknown
  /** Wraps the run of an operation: default policy, authorize, resolve. */
  operation?(ctx: Exchange, operation: Operation, next: () => MaybePromise<Result>): unknown
  /** Wraps planning and execution, inside the hooks of `resolve`. */
  engine?(ctx: Exchange, operation: Operation, next: () => MaybePromise<Result>): unknown
  /** Wraps the creation of a plan and its statement, when no plan is cached. Synchronous, within `engine`. */
  plan?(work: PlanWork, next: () => unknown): unknown
  /** Wraps a statement; or a transaction from BEGIN to COMMIT, and then each of its statements. */
  statement?(work: StatementWork, next: () => Promise<unknown>): unknown
  /** Fields to add to every log line that is written while this exchange is served, such as the trace; `null` = none. Must not throw. */
  logFields?(): Readonly<Record<string, unknown>> | null
  /**
   * Returns the comment to append to each statement of an operation, when the statement is sent: `key='value'`, of letters, digits and
   * `_ = ' , . % : -`; `null` = none. A statement with a comment is not prepared and has a connection of its own, so comment only a few.
   * Drivers without `Database.takesComments` ignore it.
   */
  statementComment?(): string | null
}

/** Route of a handler. */
export interface ObservedRoute {
  /** HTTP method. Absent: the exchange came through `scope.pipeline.enter`. */
  readonly method?: string
  /** Path as the plugin mounted it: `/users/:id`. */
  readonly path?: string
}

export interface PlanWork {
  /** Exchange that caused the work; `null`: no exchange caused it. */
  readonly exchange: object | null
  readonly operation: Operation
  /**
   * Kind of the plan: `read` (a query), `rows` or `columns` (a stream in that form), `write` (a mutation), `sources` (the views and tables that
   * a query reads). Accept other values, for parts of these plans.
   */
  readonly kind: string
}

/** Database of a statement. */
export interface ObservedDatabase {
  /** Kind of database, as in `Database.kind`. */
  readonly name: string
  /** Kind of the database (`Database.kind`). */
  readonly kind: string
  /**
   * Returns the planning mode of a statement (`Database.planning`). Absent: the driver does not choose between plans.
   */
  readonly planning?: (statement: Statement) => 'values' | 'generic' | null
}

export interface StatementWork {
  readonly database: ObservedDatabase
  /** Exchange that caused the work; `null`: no exchange caused it. */
  readonly exchange: object | null
  /** The executed statement; `null`: the work is a transaction. */
  readonly statement: Statement | null
  /** The statement belongs to a transaction that is observed itself. Do not add its time to that of the transaction. */
  readonly within: boolean
}

/** An observer, with the name of its plugin. */
export interface OwnedObserver {
  readonly plugin: string
  readonly observer: Observer
}

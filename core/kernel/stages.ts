import type { MaybePromise } from '../base/util/promise.ts'
import type { AccessControl } from '../contract/access.ts'
import type { CommittedWrite } from '../contract/committed-write.ts'
import type { Auth, Exchange } from '../contract/exchange.ts'
import type { AnyExchange } from '../contract/http-exchange.ts'
import type { MutationCall } from '../contract/mutation-call.ts'
import type { Operation } from '../contract/operation.ts'
import type { PublicError, PublicErrorSource } from '../contract/public-error.ts'
import type { Reply } from '../contract/reply.ts'
import type { Result } from '../contract/result.ts'

export type { MaybePromise } from '../base/util/promise.ts'

/** Kind of a stage: how its hooks are combined (docs/explain/architecture.md#hooks). */
export type Kind = 'around' | 'first' | 'every' | 'settle' | 'waterfall' | 'series'

/**
 * Positions of hooks in a stage, the outermost first. A hook without a position runs between `guard` and `cache`. Hooks of one position
 * run in the order of set-up.
 *
 * - `measure`: observes all requests, also rejected ones
 * - `guard`: may reject a request
 * - `cache`: may answer from a cache
 * - `share`: runs equal concurrent work once
 */
export const POSITIONS = ['measure', 'guard', null, 'cache', 'share'] as const
export type Position = Exclude<(typeof POSITIONS)[number], null>

/** Argument of `afterCommit` hooks. There is one event for each transaction with writes. */
export interface CommitEvent {
  /** The exchange of the mutation. It may have ended already. */
  readonly exchange: Exchange
  readonly operation: Operation
  /** One entry for each written row, in the order of the root fields. */
  readonly writes: readonly CommittedWrite[]
}

/**
 * All stages: name → kind and type of handler. Types of hooks and runners are derived from it. Plugins add stages of their own by
 * declaration merging, named `<plugin>:<moment>`; only plugins that declare the owner as a dependency may hook them
 * (docs/guides/write-a-plugin.md#hooks).
 */
export interface Stages {
  /**
   * Kind around. Wraps every exchange, for all transports; for HTTP before the route is matched. A hook calls `next()` at most once, or
   * returns a reply of its own. A thrown error is rendered by the route or the front.
   */
  onRequest: { kind: 'around'; handler: (ctx: AnyExchange, next: () => MaybePromise<Reply>) => MaybePromise<Reply> }
  /**
   * Kind first. Runs once for each exchange, after the route is matched. A hook returns the caller, or `undefined` when the request has no
   * credential of its kind. A throw rejects an invalid credential and ends the search. Without any result the caller is anonymous.
   */
  authenticate: { kind: 'first'; handler: (ctx: Exchange) => MaybePromise<Auth | undefined> }
  /**
   * Kind every. All hooks run in order. A throw denies the operation. `access` denies fields and types, adds row conditions and sets
   * session variables. The check of `security.default_policy` runs before them, also without any hook.
   */
  authorize: {
    kind: 'every'
    handler: (ctx: Exchange, operation: Operation, access: AccessControl) => MaybePromise<void>
  }
  /**
   * Kind around. The innermost function plans and executes. Caches hook here, after authorize. `next(instead)` continues with another
   * operation. It must select a subset of the original one, because it is not authorized again.
   */
  resolve: {
    kind: 'around'
    handler: (
      ctx: Exchange,
      operation: Operation,
      next: (instead?: Operation) => MaybePromise<Result>,
    ) => MaybePromise<Result>
  }
  /**
   * Kind series. Runs in the transaction of each root field of a mutation, before its function is called. A throw rolls the transaction
   * back and becomes the error of the root field.
   */
  'mutation:before': { kind: 'series'; handler: (ctx: Exchange, call: MutationCall) => MaybePromise<void> }
  /**
   * Kind series. Runs in the transaction, after the function has succeeded. A throw rolls the transaction back. `writes` is empty for the
   * status `noop`.
   */
  'mutation:after': {
    kind: 'series'
    handler: (ctx: Exchange, call: MutationCall, writes: readonly CommittedWrite[]) => MaybePromise<void>
  }
  /** Kind settle. Runs after COMMIT; the reply does not wait for it. A failure is reported with the plugin's name. */
  afterCommit: { kind: 'settle'; handler: (event: CommitEvent) => MaybePromise<void> }
  /**
   * Kind waterfall, synchronous. Gets every error before clients see it, for all fronts, and returns the changed error; `undefined` keeps it.
   * `source` has the original error, which is logged already. When a hook throws, or returns a promise or no public error, the failure is
   * logged and clients see INTERNAL_SERVER_ERROR.
   */
  'error:public': {
    kind: 'waterfall'
    handler: (shown: PublicError, source: PublicErrorSource) => PublicError | undefined
  }
}

export type Stage = keyof Stages
export type Handler<S extends Stage> = Stages[S]['handler']

/** Compiled hooks of a stage. For the kind `around`, the last argument is the innermost function. */
export type Runner<S extends Stage> = Stages[S]['kind'] extends 'settle'
  ? (...args: Parameters<Handler<S>>) => void
  : S extends 'error:public'
    ? (...args: Parameters<Handler<S>>) => PublicError
    : Stages[S]['kind'] extends 'waterfall'
      ? (...args: Parameters<Handler<S>>) => MaybePromise<Parameters<Handler<S>>[0]>
      : Handler<S>

/** A stage of a plugin, as `scope.stage` returns it. */
export interface StageHandle<S extends Stage> {
  /**
   * The compiled hooks; `null`: the stage has no hooks.
   * @throws SVC_SCOPE_PHASE during set-up
   */
  readonly run: Runner<S> | null
}

/** Stages of the kernel and their kinds. A new stage needs an entry here and in {@link Stages}. */
export const CORE_STAGES = {
  onRequest: 'around',
  authenticate: 'first',
  authorize: 'every',
  resolve: 'around',
  'mutation:before': 'series',
  'mutation:after': 'series',
  afterCommit: 'settle',
  'error:public': 'waterfall',
} as const satisfies { readonly [S in Stage]?: Stages[S]['kind'] }

export type CoreStage = keyof typeof CORE_STAGES

import type { AccessControl } from '../contract/access.ts'
import type { CommittedWrite } from '../contract/committed-write.ts'
import type { Auth, Exchange } from '../contract/exchange.ts'
import type { AnyExchange } from '../contract/http-exchange.ts'
import type { MutationCall } from '../contract/mutation-call.ts'
import type { Operation } from '../contract/operation.ts'
import type { PublicError, PublicErrorSource } from '../contract/public-error.ts'
import type { Reply } from '../contract/reply.ts'
import type { Result } from '../contract/result.ts'
import type { MaybePromise } from '../util/promise.ts'

export type { MaybePromise } from '../util/promise.ts'

/** The kinds of hooks; the runner of a kind takes only hooks of that kind. */
export type Kind = 'around' | 'first' | 'every' | 'settle' | 'waterfall' | 'series'

/**
 * Places in the order of a stage, the outermost first. Who says none stands between `guard` and `cache`; hooks of one
 * place run in the order of set-up.
 *
 * - `measure`: sees everything, what is refused included
 * - `guard`: may refuse
 * - `cache`: answers from what it kept
 * - `share`: lets equal work in flight run once
 */
export const POSITIONS = ['measure', 'guard', null, 'cache', 'share'] as const
export type Position = Exclude<(typeof POSITIONS)[number], null>

/** What `afterCommit` hooks are told, after COMMIT: one event per transaction that wrote. */
export interface CommitEvent {
  /** The request that wrote. It may have ended by now. */
  readonly exchange: Exchange
  readonly operation: Operation
  /** One entry per row that was written, in the order of the roots. */
  readonly writes: readonly CommittedWrite[]
}

/**
 * The stages of the kernel: name → kind and handler. Everything about hooks (runners, types, `svc plugins --hooks`) is
 * derived from this table. A plugin that owns a front adds its own by declaration merging, named
 * `<plugin>:<moment>`; only a plugin that depends on the owner may hook them.
 */
export interface Stages {
  /**
   * Kind around. Runs around every exchange, whichever way it came; of HTTP before the route is matched. Call `next()` at
   * most once; leave it out to answer yourself. May throw: the error is answered in the shape of the route, or the front.
   */
  onRequest: { kind: 'around'; handler: (ctx: AnyExchange, next: () => MaybePromise<Reply>) => MaybePromise<Reply> }
  /**
   * Kind first. Runs once per exchange, after the route is matched. `undefined` = not my credential, ask the next; a
   * throw = mine and bad: it stops there. Nobody's credential = anonymous.
   */
  authenticate: { kind: 'first'; handler: (ctx: Exchange) => MaybePromise<Auth | undefined> }
  /**
   * Kind every. All run, in order; a throw denies, and `access` takes what is denied of it, whose rows are seen, and
   * session variables. With none registered the kernel's own `default_policy` check still runs.
   */
  authorize: {
    kind: 'every'
    handler: (ctx: Exchange, operation: Operation, access: AccessControl) => MaybePromise<void>
  }
  /**
   * Kind around. The innermost plans and executes. Caches sit here, inside authorize. `next(instead)` hands on another
   * operation: the same with less of it, never with more, because nobody is asked again who may.
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
   * Kind series. Inside the transaction of each root of a mutation, before its function is called. May throw: rolled back,
   * and the root is an error.
   */
  'mutation:before': { kind: 'series'; handler: (ctx: Exchange, call: MutationCall) => MaybePromise<void> }
  /**
   * Kind series. Inside the transaction, after the function has succeeded. May throw: rolled back. `writes` is empty where
   * it said that nothing had to be done.
   */
  'mutation:after': {
    kind: 'series'
    handler: (ctx: Exchange, call: MutationCall, writes: readonly CommittedWrite[]) => MaybePromise<void>
  }
  /** Kind settle. After COMMIT; the reply does not wait. A failure is reported with the plugin's name. */
  afterCommit: { kind: 'settle'; handler: (event: CommitEvent) => MaybePromise<void> }
  /**
   * Kind waterfall, synchronous. Sees every error before it leaves, on every front, and may change what clients are told;
   * `undefined` leaves it. The original stands beside it, for the hook's eyes; the log has had it by then. A hook that
   * throws, gives a promise or no public error is reported, and the client is told INTERNAL_SERVER_ERROR.
   */
  'error:public': {
    kind: 'waterfall'
    handler: (shown: PublicError, source: PublicErrorSource) => PublicError | undefined
  }
}

export type Stage = keyof Stages
export type Handler<S extends Stage> = Stages[S]['handler']

/** The compiled chain of a stage. `around` takes what stands in the middle as its last argument. */
export type Runner<S extends Stage> = Stages[S]['kind'] extends 'settle'
  ? (...args: Parameters<Handler<S>>) => void
  : S extends 'error:public'
    ? (...args: Parameters<Handler<S>>) => PublicError
    : Stages[S]['kind'] extends 'waterfall'
      ? (...args: Parameters<Handler<S>>) => MaybePromise<Parameters<Handler<S>>[0]>
      : Handler<S>

/** A stage of a plugin's own, as `scope.stage` gives it back. */
export interface StageHandle<S extends Stage> {
  /**
   * The chain, compiled when boot ends; `null` when nobody hooked it, so that an empty stage costs nothing.
   * @throws SVC_SCOPE_PHASE when it is read during set-up
   */
  readonly run: Runner<S> | null
}

/** The stages of the kernel itself, as values. A new one is a row here and in {@link Stages}. */
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

import type { MaybePromise } from '../base/util/promise.ts'
import type { AccessControl } from './access.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { Exchange } from './exchange.ts'
import type { MutationCall } from './mutation-call.ts'
import type { Operation } from './operation.ts'
import type { Result } from './result.ts'

/** Argument of `afterCommit` hooks. There is one event for each transaction with writes. */
export interface CommitEvent {
  /** The exchange of the mutation. It may have ended already. */
  readonly exchange: Exchange
  readonly operation: Operation
  /** One entry for each written row, in the order of the root fields. */
  readonly writes: readonly CommittedWrite[]
}

/** Stages of the engine, which surround every operation. */
export interface EngineStages {
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
}

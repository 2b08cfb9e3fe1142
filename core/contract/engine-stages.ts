import type { MaybePromise } from '../base/util/promise.ts'
import type { AccessControl } from './access.ts'
import type { CommittedWrite } from './committed-write.ts'
import type { Exchange } from './exchange.ts'
import type { MutationCall } from './mutation-call.ts'
import type { Operation } from './operation.ts'
import type { Result } from './result.ts'

/** The writes of one committed transaction: the argument of `afterCommit` hooks. */
export interface CommitEvent {
  /** The request that ran the mutation. It may have ended already. */
  readonly exchange: Exchange
  readonly operation: Operation
  /** The written rows, in the order of the mutation's root fields. */
  readonly writes: readonly CommittedWrite[]
}

/**
 * The points at which hooks run around each operation (GraphQL, REST, …), with the kinds and types of their handlers.
 */
export interface EngineStages {
  /**
   * Decides what an operation may do, before it is planned. All hooks run in order (kind `every`). A hook denies the
   * operation by a throw, or uses `access` to deny fields and types, add row conditions and set session variables.
   * `security.default_policy` is checked before the hooks, also when there are none.
   */
  authorize: {
    kind: 'every'
    handler: (ctx: Exchange, operation: Operation, access: AccessControl) => MaybePromise<void>
  }
  /**
   * Wraps the planning and execution of an authorized operation (kind `around`); caches hook here. `next()` runs the
   * inner hooks and then the operation. `next(instead)` continues with another operation, which is not authorized
   * again, so it must select a subset of the original one.
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
   * Runs for each root field of a mutation, in its transaction, before the database function is called. Hooks run one
   * after the other (kind `series`). A throw rolls the transaction back and becomes the error of the root field.
   */
  'mutation:before': { kind: 'series'; handler: (ctx: Exchange, call: MutationCall) => MaybePromise<void> }
  /**
   * Runs for each root field of a mutation, in its transaction, after the database function has succeeded. Hooks run
   * one after the other (kind `series`). A throw rolls the transaction back. `writes` is empty when the function
   * reported the status `noop`.
   */
  'mutation:after': {
    kind: 'series'
    handler: (ctx: Exchange, call: MutationCall, writes: readonly CommittedWrite[]) => MaybePromise<void>
  }
  /**
   * Runs after COMMIT. The response does not wait for the hooks (kind `settle`), and a failure of one does not stop the
   * others: it is logged with the plugin's name.
   */
  afterCommit: { kind: 'settle'; handler: (event: CommitEvent) => MaybePromise<void> }
}

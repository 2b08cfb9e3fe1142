import type { MaybePromise } from '../base/util/promise.ts'
import type { Exchange } from './exchange.ts'
import type { ExplainOptions, Explanation } from './explanation.ts'
import type { Operation } from './operation.ts'
import type { Result } from './result.ts'

/**
 * Authorized access to data, the same for every front: default policy, `authorize` hooks, validation, `resolve` hooks, plan, execution.
 * Plugins reach it as `scope.engine`.
 */
export interface Engine {
  /**
   * Runs an operation.
   * @returns the result; failures of single roots are in `result.errors`
   * @throws errors of `authorize` hooks; SvcError SERVICE_UNAVAILABLE, TIMEOUT, which fail the whole operation
   */
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
  /**
   * Describes what an operation would do without running it: the plan, the SQL with its values, and the plan of the database.
   * Authorized like {@link Engine.run}. The answer is for operators only; the caller restricts access to it.
   *
   * @throws as `run`; SvcError DATABASE_ERROR where the database explains nothing
   */
  explain(exchange: Exchange, operation: Operation, options?: ExplainOptions): Promise<Explanation>
  /**
   * Applies the guards of an operation without running it: for answers that come later, such as a subscription's, and for lists
   * of what a caller may use.
   *
   * @returns the operation as it may be answered: masked, with its `access`
   * @throws as `run` before anything is read
   */
  authorize(exchange: Exchange, operation: Operation): MaybePromise<Operation>
  /**
   * Names of the views and tables that a query reads, as the schema spells them: relations, filters across relations and
   * `additional_views` included; what a function or authored SQL reads is not known. For `resolve` hooks, with the operation that
   * they receive: a cache files its answers under these names. Kept with the plan.
   *
   * @returns an empty list for a mutation
   * @throws SvcError when the operation cannot be planned
   */
  sourcesOf(exchange: Exchange, operation: Operation): readonly string[]
  /**
   * Returns the key under which the result of an operation may be cached. For `resolve` hooks, with the operation that
   * they receive. Two requests have the same key in every process exactly when their results are the same as long as
   * nothing is written. Of the caller, the key contains only what the rules of these rows read, so callers who see the
   * same rows share a result.
   * @returns `null` when the result must not be cached
   * @throws SvcError when the operation cannot be planned
   */
  answerKey(exchange: Exchange, operation: Operation): string | null
  /**
   * Plans an operation and caches the plans with its template, so that the first request with such variables finds them. The plans are
   * those of a caller without restrictions; no hooks run and the database is not called.
   * @throws SvcError when the operation cannot be planned with these variables
   */
  plan(exchange: Exchange, operation: Operation): Promise<void>
}

/** Planning and execution without authorization: an {@link Engine} calls it for operations that are allowed. */
export interface Executor extends Pick<Engine, 'sourcesOf' | 'answerKey' | 'plan'> {
  /** Plans and executes an operation. @throws SvcError SERVICE_UNAVAILABLE, TIMEOUT, which fail the whole operation */
  resolve(exchange: Exchange, operation: Operation): MaybePromise<Result>
  explain(exchange: Exchange, operation: Operation, options: ExplainOptions): Promise<Explanation>
}

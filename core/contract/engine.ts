import type { MaybePromise } from '../base/util/promise.ts'
import type { Exchange } from './exchange.ts'
import type { ExplainOptions, Explanation } from './explanation.ts'
import type { Operation } from './operation.ts'
import type { Result } from './result.ts'

/**
 * Authorized access to the data, the same for every protocol: default policy, `authorize` hooks, validation, `resolve`
 * hooks, plan, execution. Plugins get it as `scope.engine`.
 */
export interface Engine {
  /**
   * Authorizes, validates, plans and executes an operation.
   * @returns the result; errors of single root fields are in `result.errors`
   * @throws errors of `authorize` hooks; SvcError SERVICE_UNAVAILABLE (no connection to the database) and TIMEOUT
   * (deadline passed), which fail the whole operation
   */
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
  /**
   * Describes what an operation would do, without running it: the plan, the SQL with its values, and the plan of the
   * database. The operation is authorized as in {@link Engine.run}. Show the result to operators only: the engine does
   * not check it.
   * @throws as `run`; SvcError DATABASE_ERROR if the database cannot explain a statement
   */
  explain(exchange: Exchange, operation: Operation, options?: ExplainOptions): Promise<Explanation>
  /**
   * Authorizes an operation without running it. Call it when the results come later, as for a subscription, or to list
   * what a caller may use.
   * @returns the operation without the denied parts, with its restrictions in `access`
   * @throws as {@link Engine.run}, for errors before data is read
   */
  authorize(exchange: Exchange, operation: Operation): MaybePromise<Operation>
  /**
   * Returns the views and tables that a query reads, by their names in the schema, including those of relations, of
   * filters across relations and of `additional_views`. What a function or SQL of the author reads is not known. A
   * cache hook of `resolve` calls it to know which writes make its entry stale. The result is kept with the plan.
   * @param operation the operation that the hook received
   * @returns an empty list for a mutation
   * @throws SvcError when the operation cannot be planned
   */
  sourcesOf(exchange: Exchange, operation: Operation): readonly string[]
  /**
   * Returns the key under which a `resolve` hook may cache the result of the operation that it received. Equal keys
   * mean equal results as long as nothing is written, also in other processes. Of the caller, the key contains only
   * what the rules of the read rows depend on, so callers who see the same rows share a result.
   * @returns `null` when the result must not be cached
   * @throws SvcError when the operation cannot be planned
   */
  answerKey(exchange: Exchange, operation: Operation): string | null
  /**
   * Plans an operation in advance and caches the plans with its template (`Operation.template`), for a fast first
   * request. The plans are those of a caller without restrictions. No hooks run, and the database is not called.
   * @throws SvcError when the operation cannot be planned with its variables
   */
  plan(exchange: Exchange, operation: Operation): Promise<void>
}

/**
 * Planning and execution without authorization. Only an {@link Engine} calls it, for operations that it has authorized.
 */
export interface Executor extends Pick<Engine, 'sourcesOf' | 'answerKey' | 'plan'> {
  /**
   * Plans and executes an authorized operation.
   * @throws SvcError SERVICE_UNAVAILABLE (no connection to the database), TIMEOUT (deadline passed)
   */
  resolve(exchange: Exchange, operation: Operation): MaybePromise<Result>
  explain(exchange: Exchange, operation: Operation, options: ExplainOptions): Promise<Explanation>
}

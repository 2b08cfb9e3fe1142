import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { isPromise } from '../util/promise.ts'

export interface OperationStages {
  /** The kernel's own check; always runs, first. */
  readonly defaultPolicy: (exchange: Exchange, operation: Operation) => void
  /** Sealed chain of the authorize hooks; `null` = none. */
  readonly authorize: ((exchange: Exchange, operation: Operation) => MaybePromise<void>) | null
  /** Sealed chain of the resolve hooks around the innermost; `null` = none. */
  readonly resolve:
    | ((exchange: Exchange, operation: Operation, innermost: () => MaybePromise<Result>) => MaybePromise<Result>)
    | null
  /** Plan and execute. */
  readonly innermost: (exchange: Exchange, operation: Operation) => MaybePromise<Result>
}

/**
 * The one guarded way to data, whatever the front: default policy → authorize → resolve( … → plan → execute ).
 * Decided once which parts exist; a stage that nobody hooked costs nothing.
 */
export function createOperationRunner(
  stages: OperationStages,
): (exchange: Exchange, operation: Operation) => MaybePromise<Result> {
  const { defaultPolicy, authorize, resolve, innermost } = stages
  const run =
    resolve === null
      ? innermost
      : (exchange: Exchange, operation: Operation) => resolve(exchange, operation, () => innermost(exchange, operation))
  if (authorize === null) {
    return (exchange, operation) => {
      defaultPolicy(exchange, operation)
      return run(exchange, operation)
    }
  }
  return (exchange, operation) => {
    defaultPolicy(exchange, operation)
    const allowed = authorize(exchange, operation)
    return isPromise(allowed) ? allowed.then(() => run(exchange, operation)) : run(exchange, operation)
  }
}

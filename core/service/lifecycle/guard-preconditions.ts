import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, Precondition } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import type { MaybePromise } from '../../contract/stages.ts'

type Run = (exchange: Exchange, operation: Operation) => MaybePromise<Result>

/**
 * Wraps the run of operations, so that the queries of `WriteOptions.preconditions` are authorized, too. An `access` that they already have
 * is replaced.
 */
export function guardPreconditions(
  run: Run,
  authorize: (exchange: Exchange, operation: Operation) => MaybePromise<Operation>,
): Run {
  return (exchange, operation) => {
    const { write } = operation
    if (write?.preconditions === undefined) return run(exchange, operation)
    const allowed = async ({ operation: read, check }: Precondition): Promise<Precondition> => ({
      operation: await authorize(exchange, read),
      check,
    })
    return Promise.all(write.preconditions.map(allowed)).then((preconditions) =>
      run(exchange, { ...operation, write: { ...write, preconditions } }),
    )
  }
}

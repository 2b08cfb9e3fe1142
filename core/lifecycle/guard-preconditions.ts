import type { Exchange } from '../contract/exchange.ts'
import type { Operation, Precondition } from '../contract/operation.ts'
import type { Result } from '../contract/result.ts'
import type { MaybePromise } from '../kernel/stages.ts'

type Run = (exchange: Exchange, operation: Operation) => MaybePromise<Result>

/**
 * The one way to data with what writes depend on (`WriteManner.preconditions`) guarded like everything else that is read: what
 * it carried before counts for nothing.
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

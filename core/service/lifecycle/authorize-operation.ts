import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { createOperationRunner, type OperationStages } from './run-operation.ts'

/**
 * Creates `scope.engine.authorize`. It authorizes an operation without running it, for subscriptions and for lists of
 * operations that a caller may use.
 * @returns a function that returns the operation with its restrictions, or throws if the caller may not run it
 */
export function createAuthorizer(
  guards: Pick<OperationStages, 'defaultPolicy' | 'authorize' | 'sessionVariables'>,
): (exchange: Exchange, operation: Operation) => MaybePromise<Operation> {
  const run = createOperationRunner<Operation>({ ...guards, resolve: null, innermost: (_exchange, allowed) => allowed })
  return (exchange, operation) => run(exchange, operation.write?.begins === undefined ? operation : unbegun(operation))
}

/** Removes `write.begins`, because authorizing a write does not begin it. */
function unbegun(operation: Operation): Operation {
  return { ...operation, write: { ...operation.write, begins: undefined } }
}

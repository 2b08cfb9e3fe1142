import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { createOperationRunner, type OperationStages } from './run-operation.ts'

/**
 * The guards of an operation without running it: for what is answered later (a subscription), or by somebody else (a list
 * of what a caller may use).
 */
export function createAuthorizer(
  guards: Pick<OperationStages, 'defaultPolicy' | 'authorize' | 'sessionVariables'>,
): (exchange: Exchange, operation: Operation) => MaybePromise<Operation> {
  const run = createOperationRunner<Operation>({ ...guards, resolve: null, innermost: (_exchange, allowed) => allowed })
  return (exchange, operation) => run(exchange, operation.write?.begins === undefined ? operation : unbegun(operation))
}

/** Nothing begins by asking whether it may. */
function unbegun(operation: Operation): Operation {
  return { ...operation, write: { ...operation.write, begins: undefined } }
}

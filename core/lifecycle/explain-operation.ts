import type { Exchange } from '../contract/exchange.ts'
import type { ExplainOptions, Explanation } from '../contract/explanation.ts'
import type { Operation } from '../contract/operation.ts'
import { createOperationRunner, type OperationStages } from './run-operation.ts'

type Explain = (exchange: Exchange, operation: Operation, options: ExplainOptions) => Promise<Explanation>

/**
 * The same guards as for running it: who may not run an operation is not told what it would do, and is told of the rows
 * that it would see. Hooks of `resolve` stand aside, because nothing is resolved.
 */
export function createExplainer({
  defaultPolicy,
  authorize,
  sessionVariables = null,
  explain,
}: Pick<OperationStages, 'defaultPolicy' | 'authorize' | 'sessionVariables'> & { readonly explain: Explain }): Explain {
  return async (exchange, operation, options) => {
    const run = createOperationRunner<Explanation>({
      defaultPolicy,
      authorize,
      sessionVariables,
      resolve: null,
      innermost: (ctx, allowed) => explain(ctx, allowed, options),
    })
    return run(exchange, operation)
  }
}

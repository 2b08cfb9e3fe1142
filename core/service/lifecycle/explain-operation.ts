import type { Exchange } from '../../contract/exchange.ts'
import type { ExplainOptions, Explanation } from '../../contract/explanation.ts'
import type { Operation } from '../../contract/operation.ts'
import { createOperationRunner, type OperationStages } from './run-operation.ts'

type Explain = (exchange: Exchange, operation: Operation, options: ExplainOptions) => Promise<Explanation>

/**
 * Creates `scope.engine.explain`. It authorizes an operation as for running it, and describes its plan with the
 * caller's access rules. `resolve` hooks do not run.
 * @param parts `explain` describes an authorized operation
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

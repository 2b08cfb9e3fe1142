import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { ExecuteContext } from './context.ts'
import { prepareRead } from './prepare-read.ts'
import { rootPlanOf } from './root-plan.ts'

/**
 * Makes the plans of an operation, statements and all, and keeps them with its template, where the first request that sends such
 * variables finds them. For who sees all of it: what is denied to somebody has plans of its own. The database is asked
 * nothing, so that a function whose result only it can tell is planned when it is first called.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR when the operation cannot be planned with these variables
 */
export async function planAhead(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<void> {
  const { kind, roots } = operation.template
  if (kind === 'query') prepareRead(operation, exchange.generation.schema, context.settings)
  // What a subscription reads follows from the events that come.
  if (kind !== 'mutation') return
  for (const [index, root] of roots.entries()) {
    if (root.kind !== 'operation' || root.operation.kind !== 'mutation') continue
    if (root.operation.function.returns !== null) await rootPlanOf(context, exchange, operation, index)
  }
}

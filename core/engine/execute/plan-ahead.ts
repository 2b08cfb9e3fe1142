import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ExecuteContext } from './context/context.ts'
import { prepareRead } from './read/prepare-read.ts'
import { rootPlanOf } from './write/root-plan.ts'

/**
 * Creates the plans of an operation with their statements and caches them with its template, ahead of its first request. They are the plans
 * of callers without restrictions. The database is not queried, so functions whose result it must describe are planned on their first call.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR when the operation cannot be planned with these variables
 */
export async function planAhead(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<void> {
  const { kind, roots } = operation.template
  if (kind === 'query') prepareRead(operation, exchange.generation.schema, context.settings)
  // The reads of a subscription depend on its events.
  if (kind !== 'mutation') return
  for (const [index, root] of roots.entries()) {
    if (root.kind !== 'operation' || root.operation.kind !== 'mutation') continue
    if (root.operation.function.returns !== null) await rootPlanOf(context, exchange, operation, index)
  }
}

import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ExecuteContext } from './context/context.ts'
import { prepareRead } from './read/prepare-read.ts'
import { rootPlanOf } from './write/root-plan.ts'

/**
 * Plans an operation before its first request, for callers without restrictions, and caches the plans for later
 * requests with the same document. It runs no statement. Mutations whose function the database has to describe are
 * planned on their first call.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR if the operation cannot be planned with these variables
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

import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { ExecuteContext } from '../context/context.ts'

/**
 * Runs the `afterCommit` hooks of plugins for the rows that a committed transaction wrote. It does nothing after a dry
 * run, or if no row was written.
 */
export function announce(
  { onCommit }: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  writes: readonly CommittedWrite[],
): void {
  if (onCommit === null || writes.length === 0 || operation.write?.dryRun === true) return
  onCommit({ exchange, operation, writes })
}

import type { CommittedWrite } from '../contract/committed-write.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { ExecuteContext } from './context.ts'

/** Tells of a transaction that is committed, unless it wrote nothing or was a trial. */
export function announce(
  { onCommit }: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  writes: readonly CommittedWrite[],
): void {
  if (onCommit === null || writes.length === 0 || operation.write?.dryRun === true) return
  onCommit({ exchange, operation, writes })
}

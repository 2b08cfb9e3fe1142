import { firstBatchSize, nextBatchSize, type StreamOptions } from '../../../core/doors/driver.ts'
import type { Parameter, Row, Statement } from '../../../core/doors/plugin.ts'
import type { Transaction } from './transaction.ts'

/**
 * Reads the rows of a query in batches from a cursor in a read-only transaction. A batch is fetched when the consumer
 * asks for it. Ending early rolls back.
 * @param begin starts the transaction
 */
export async function* streamRows(
  begin: () => Promise<Transaction>,
  statement: Statement,
  parameters: readonly Parameter[],
  { batchSize }: StreamOptions,
): AsyncGenerator<readonly Row[]> {
  const transaction = await begin()
  let exhausted = false
  try {
    await transaction.query(
      { name: null, text: `DECLARE svc_stream NO SCROLL CURSOR FOR ${statement.text}` },
      parameters,
    )
    let size = firstBatchSize(batchSize)
    while (!exhausted) {
      const { rows } = await transaction.query(fetchStatement(size), [])
      exhausted = rows.length < size
      if (rows.length > 0) yield rows
      size = nextBatchSize(batchSize, rows)
    }
    await transaction.commit()
  } finally {
    await transaction.rollback()
  }
}

/** Marked as read-only, so that a row that is too large is refused while it arrives. */
function fetchStatement(size: number): Statement {
  return { name: null, text: `FETCH FORWARD ${size} FROM svc_stream`, readOnly: true }
}

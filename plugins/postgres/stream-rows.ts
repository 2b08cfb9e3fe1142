import type { Parameter, Row, Statement, StreamOptions } from '../../core/index.ts'
import type { Transaction } from './transaction.ts'

/**
 * Rows of one query from a cursor in a read-only transaction, a batch per step. Nothing is fetched ahead of the
 * consumer; ending early rolls back, which closes the cursor.
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
    const fetch: Statement = { name: null, text: `FETCH FORWARD ${Math.max(1, Math.trunc(batchSize))} FROM svc_stream` }
    while (!exhausted) {
      const { rows } = await transaction.query(fetch, [])
      exhausted = rows.length < batchSize
      if (rows.length > 0) yield rows
    }
    await transaction.commit()
  } finally {
    await transaction.rollback()
  }
}

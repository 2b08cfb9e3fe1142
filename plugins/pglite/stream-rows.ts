import type { RoleSettings, StreamOptions } from '../../core/doors/driver.ts'
import {
  BEGIN_READ_ONLY,
  COMMIT,
  firstBatchSize,
  mayChangeSession,
  nextBatchSize,
  ROLLBACK,
} from '../../core/doors/driver.ts'
import type { Parameter, Row, Statement } from '../../core/doors/plugin.ts'
import type { TurnQueue } from './turn-queue.ts'
import type { WireSession } from './wire-session.ts'

let cursors = 0

/**
 * Rows of one query, a batch per step. The cursor outlives its transaction (`WITH HOLD`), so that the one session is
 * free for others between two batches: a slow consumer holds up nobody.
 */
export async function* streamRows(
  session: WireSession,
  turns: TurnQueue,
  statement: Statement,
  parameters: readonly Parameter[],
  { batchSize, cancel, settings: given }: StreamOptions,
  roles: RoleSettings,
): AsyncGenerator<readonly Row[]> {
  const settings = await roles.with(given)
  const cursor = `svc_stream_${++cursors}`
  const declare = { name: null, text: `DECLARE ${cursor} NO SCROLL CURSOR WITH HOLD FOR ${statement.text}` }
  await turns.take(async () => {
    try {
      // The rows are read when the transaction ends, with what is set in it.
      await session.run(declare, parameters, { begin: BEGIN_READ_ONLY, settings })
      await session.run(COMMIT, [], { reset: mayChangeSession(statement) })
    } catch (error) {
      await session.run(ROLLBACK, [])
      throw error
    }
  }, cancel)
  try {
    for (let size = firstBatchSize(batchSize); ; ) {
      const fetch = { name: null, text: `FETCH FORWARD ${size} FROM ${cursor}` }
      const { rows } = await turns.take(() => session.run(fetch, []), cancel)
      if (rows.length > 0) yield rows
      if (rows.length < size) return
      size = nextBatchSize(batchSize, rows)
    }
  } finally {
    await turns.take(() => session.run({ name: null, text: `CLOSE ${cursor}` }, []), null)
  }
}

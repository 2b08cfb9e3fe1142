import {
  BEGIN,
  BEGIN_READ_ONLY,
  COMMIT,
  firstBatchSize,
  mayChangeSession,
  nextBatchSize,
  ROLLBACK,
  type RoleSettings,
  type Session,
  type StreamOptions,
  type TransactionOptions,
  unknownOutcome,
} from '../../core/doors/driver.ts'
import { type Parameter, type Row, type Statement, SvcError } from '../../core/doors/plugin.ts'
import type { Engine } from './engine/engine.ts'
import { EngineFault } from './engine/engine-thread.ts'
import { abortedError, type TurnQueue } from './turn-queue.ts'
import type { WireSession } from './wire-session.ts'

let cursors = 0

/**
 * Runs a transaction in the only session; the caller has reserved it. BEGIN is sent with the first statement.
 * @throws SvcError TRANSACTION_FAILED when a statement had failed, or when the engine broke within the transaction
 */
export async function runTransaction<T>(
  engine: Engine,
  session: WireSession,
  work: (session: Session) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const cancel = options.cancel ?? null
  const begin = options.readOnly === true ? BEGIN_READ_ONLY : BEGIN
  const { generation } = engine
  let begun = false
  let over = false
  const transaction: Session = {
    async query(statement, parameters) {
      if (cancel?.aborted === true) throw abortedError(cancel)
      if (over) throw new SvcError('TRANSACTION_FAILED', 'The transaction is over; its session cannot be used.')
      if (begun && generation !== engine.generation) throw lostTransaction()
      if (begun) return session.run(statement, parameters, { inTransaction: true })
      begun = true
      return session.run(statement, parameters, { begin, settings: options.settings })
    },
  }
  try {
    const result = await work(transaction)
    over = true
    if (cancel?.aborted === true) throw abortedError(cancel)
    if (!begun) return result
    if (generation !== engine.generation) throw lostTransaction()
    begun = false
    const { tag } = await session.run(COMMIT, [], { reset: true }).catch(failCommit)
    if (tag === 'COMMIT') return result
    throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed; nothing was written.')
  } finally {
    over = true
    if (begun && generation === engine.generation) await session.run(ROLLBACK, [])
  }
}

/**
 * Rejects a write that commits itself, or a COMMIT. If the engine broke under it, the outcome is unknown, since the files may
 * contain changes from before the break.
 */
export function failCommit(error: unknown): never {
  const broke = error instanceof SvcError && error.code === 'DATABASE_ERROR' && error.cause instanceof EngineFault
  throw broke ? unknownOutcome(error) : error
}

function lostTransaction(): SvcError {
  return new SvcError('TRANSACTION_FAILED', 'The embedded database broke within the transaction; nothing was written.')
}

/**
 * Streams the rows of one query in batches. The cursor outlives its transaction (`WITH HOLD`), so that the session is
 * free between two batches: a slow consumer delays no other caller.
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
      // COMMIT reads the rows, with the settings of the transaction.
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

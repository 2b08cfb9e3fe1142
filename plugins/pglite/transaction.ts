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
 * Runs a transaction in the single session of the embedded database, which the caller has reserved. BEGIN is sent with
 * the first statement.
 * @param work runs the statements; its error rolls the transaction back
 * @throws SvcError TRANSACTION_FAILED when a statement failed, or when the engine broke during the transaction
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
 * Throws the error of a COMMIT, or of a write outside of a transaction. If the engine broke, the error says that the
 * outcome is unknown, because the write may have been stored.
 */
export function failCommit(error: unknown): never {
  const broke = error instanceof SvcError && error.code === 'DATABASE_ERROR' && error.cause instanceof EngineFault
  throw broke ? unknownOutcome(error) : error
}

function lostTransaction(): SvcError {
  return new SvcError('TRANSACTION_FAILED', 'The embedded database broke within the transaction; nothing was written.')
}

/**
 * Reads the rows of a query in batches from the embedded database. Its cursor outlives the transaction (`WITH HOLD`),
 * so that other statements can run between two batches.
 * @param turns queue for the session
 * @param roles adds the settings of the database role
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

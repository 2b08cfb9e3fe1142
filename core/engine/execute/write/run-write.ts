import { committedOutcome } from '../../../base/errors/committed-outcome.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import { unknownAtDeadline } from '../../../base/errors/unknown-outcome.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Row } from '../../../contract/statement.ts'
import type { ExecuteContext } from '../context/context.ts'
import { writeSettings } from '../context/session-settings.ts'
import { bindCall } from './bound-call.ts'
import { toCommitted } from './committed.ts'
import { inTransaction } from './in-transaction.ts'
import type { RootPlan } from './root-plan.ts'
import { NO_WRITES, runCallIn, type WriteAnswer } from './run-call.ts'
import { type CallAnswer, columnReader, type ReadColumn, rowsAnswer, voidAnswer } from './write-answer.ts'

/**
 * Runs a mutation's root field as a single auto-committed statement.
 * @throws errors of the statement. After COMMIT, an invalid result throws an error that states that the write was
 * committed
 */
export async function runSingle(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  plan: RootPlan,
): Promise<WriteAnswer> {
  const { planned } = plan
  const { bound, stamp } = bindCall(exchange, operation, plan, 'single')
  let rows: readonly Row[]
  try {
    const database = context.database()
    rows = (await database.query(bound.statement, bound.parameters, exchange, writeSettings(operation))).rows
  } catch (error) {
    throw isAtDeadline(error) ? unknownAtDeadline(error) : error
  }
  try {
    const answer = answerOf(plan, rows, columnReader(bound))
    return { ...answer, writes: stamp === null ? NO_WRITES : toCommitted(planned, answer.reported, stamp) }
  } catch (error) {
    const message = 'What the function answered cannot be read.'
    throw committedOutcome(
      error instanceof SvcError ? error : new SvcError('INTERNAL_SERVER_ERROR', message, { cause: error }),
    )
  }
}

function answerOf({ write, tells }: RootPlan, rows: readonly Row[], read: ReadColumn): CallAnswer {
  if (write.kind === 'void') return voidAnswer(write, tells)
  const texts = rows.map((row) => read(row, 'data'))
  return rowsAnswer(write, rows, texts, read, tells)
}

/**
 * Runs a mutation's root field in a transaction of its own. If the function returns a failed status, the transaction is
 * committed, because the function decides what to write. If it raises an error, the transaction is rolled back.
 */
export function runInTransaction(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  plan: RootPlan,
): Promise<WriteAnswer> {
  const call = bindCall(exchange, operation, plan, 'transaction')
  return inTransaction(context, exchange, operation, plan.mutationHooks !== null, null, (session, hooks) =>
    runCallIn(context, exchange, operation, call, session, hooks),
  )
}

/** Tests for a statement that was cancelled at the deadline and may have been committed. A TIMEOUT that a function raised does not count. */
function isAtDeadline(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'TIMEOUT' && error.details?.abortedBy !== 'client'
}

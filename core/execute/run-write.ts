import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { Row } from '../contract/statement.ts'
import { committedOutcome } from '../errors/committed-outcome.ts'
import { SvcError } from '../errors/svc-error.ts'
import { unknownAtDeadline } from '../errors/unknown-outcome.ts'
import { bindCall } from './bound-call.ts'
import { toCommitted } from './committed.ts'
import type { ExecuteContext } from './context.ts'
import { inTransaction } from './in-transaction.ts'
import type { RootPlan } from './root-plan.ts'
import { NO_WRITES, runCallIn, type WriteAnswer } from './run-call.ts'
import { writeSettings } from './session-settings.ts'
import { type CallAnswer, columnReader, type ReadColumn, rowsAnswer, voidAnswer } from './write-answer.ts'

/** The call as one statement on its own: what it writes is committed when it answers. */
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
    return { ...answer, writes: stamp === null ? NO_WRITES : toCommitted(planned, answer.told, stamp) }
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
 * BEGIN, the call, what it lacks from the source of its type, COMMIT. A failed status is committed too: the function
 * decided what it wrote. A throw rolls back.
 */
export function runInTransaction(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  plan: RootPlan,
): Promise<WriteAnswer> {
  const call = bindCall(exchange, operation, plan, 'transaction')
  return inTransaction(context, exchange, operation, plan.moments !== null, null, (session, hooks) =>
    runCallIn(context, exchange, operation, call, session, hooks),
  )
}

/** It was cancelled, and may have been committed by then. A TIMEOUT that a function raises is another error. */
function isAtDeadline(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'TIMEOUT' && error.details?.abortedBy !== 'client'
}

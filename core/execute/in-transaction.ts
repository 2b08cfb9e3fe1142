import type { Database, Session, TransactionOptions } from '../contract/database.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { Statement } from '../contract/statement.ts'
import type { ExecuteContext } from './context.ts'
import { HookSession } from './moment.ts'
import { writeSettings } from './session-settings.ts'

/**
 * Work in one transaction, which ends with it; rolled back where the operation is a trial (`Operation.write.dryRun`).
 * @param isHooked has one of its mutations hooks of its moments?
 * @param work gets the session, and the same for those hooks; `null`: there are none
 * @throws what `work` and the driver throw
 */
export async function inTransaction<T>(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  isHooked: boolean,
  work: (session: Session, hooks: HookSession | null) => Promise<T>,
): Promise<T> {
  const database = context.database()
  const options: TransactionOptions = { cancel: exchange, settings: writeSettings(operation) }
  let hooks: HookSession | null = null
  const run = (session: Session): Promise<T> => {
    hooks = isHooked ? new HookSession(session) : null
    return work(session, hooks)
  }
  try {
    if (operation.write?.dryRun === true) return await tryOut(database, run, options, database.dialect.checkNow)
    return await database.transaction(run, options)
  } catch (error) {
    throw (hooks as HookSession | null)?.explain(error) ?? error
  }
}

/** What is thrown to have a transaction rolled back that has done all it should. */
class RollBack extends Error {
  readonly value: unknown

  constructor(value: unknown) {
    super('Everything ran, and is rolled back as was asked for')
    this.value = value
  }
}

async function tryOut<T>(
  database: Database,
  run: (session: Session) => Promise<T>,
  options: TransactionOptions,
  checkNow: Statement | undefined,
): Promise<T> {
  try {
    return await database.transaction<T>(async (session) => {
      const value = await run(session)
      if (checkNow !== undefined) await session.query(checkNow, [])
      throw new RollBack(value)
    }, options)
  } catch (error) {
    if (error instanceof RollBack) return error.value as T
    throw error
  }
}

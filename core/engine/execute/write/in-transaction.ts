import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Database, Session, TransactionOptions } from '../../../contract/database.ts'
import type { DialectErrors } from '../../../contract/dialect.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation, Precondition } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import type { Statement } from '../../../contract/statement.ts'
import { maskedErrors } from '../../access/masked-errors.ts'
import type { ExecuteContext } from '../context/context.ts'
import { writeSettings } from '../context/session-settings.ts'
import { prepareRead } from '../read/prepare-read.ts'
import { finishText } from '../read/read.ts'
import { HookSession } from './root-hooks.ts'
import type { WriteKey } from './write-key.ts'

/**
 * Runs `work` in a transaction, after it has stored the idempotency key and checked the preconditions of the mutation.
 * If another transaction changed a row that the preconditions read, it repeats everything, up to five attempts. A dry
 * run (`Operation.write.dryRun`) is rolled back.
 * @param isHooked `true`: a mutation of the operation has `mutation:before` or `mutation:after` hooks
 * @param key idempotency key (`Operation.write.once`); `null`: none
 * @param work receives the session of the transaction, and a session for hooks; `null`: there are no hooks
 * @throws errors of `work` and of the driver
 */
export async function inTransaction<T>(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  isHooked: boolean,
  key: WriteKey | null,
  work: (session: Session, hooks: HookSession | null) => Promise<T>,
): Promise<T> {
  const database = context.database()
  const { dryRun = false, preconditions = NONE } = operation.write ?? {}
  const isConditional = preconditions.length > 0
  const options: TransactionOptions = {
    cancel: exchange,
    settings: writeSettings(operation),
    ...(isConditional ? { snapshot: true } : {}),
  }
  let hooks: HookSession | null = null
  const run = async (session: Session): Promise<T> => {
    hooks = isHooked ? new HookSession(session) : null
    // Before the preconditions, because a repeated write need not satisfy them: the first one may have changed the rows.
    await key?.take(session)
    for (const each of preconditions) await checkPrecondition(context, exchange, each, session)
    return work(session, hooks)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      if (dryRun) return await tryOut(database, run, options, database.dialect.checkNow)
      return await database.transaction(run, options)
    } catch (error) {
      if (!isConditional || !isOvertaken(database.dialect.errors, error))
        throw (hooks as HookSession | null)?.explain(error) ?? error
      // The next attempt reads the changed rows and checks the preconditions again.
      if (attempt === ATTEMPTS) throw overtaken(error)
    }
  }
}

const NONE: readonly Precondition[] = []
const ATTEMPTS = 5

/** Tests whether another transaction changed rows that this one had read. */
function isOvertaken(errors: DialectErrors, error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (errors.isTransient(each)) return true
  return false
}

function overtaken(cause: unknown): SvcError {
  const message = 'Others kept changing what this was about to write. Nothing was written; try again.'
  return new SvcError('CONFLICT', message, { cause, retryAfter: 1 })
}

/** Thrown to roll back a dry run that has succeeded. */
class RollBack extends Error {
  readonly value: unknown

  constructor(value: unknown) {
    super('Everything ran, and is rolled back as requested')
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

/**
 * Runs the query of a precondition in the transaction of a write, and checks its result.
 * @throws the error of the check or of the statement; nothing is written
 */
async function checkPrecondition(
  context: ExecuteContext,
  exchange: Exchange,
  { operation, check }: Precondition,
  session: Session,
): Promise<void> {
  check(await read())

  async function read(): Promise<Result> {
    const masked = maskedErrors(operation)
    // A result with denied parts is no basis for a check.
    if (masked.length > 0) return { data: null, errors: masked }
    const prepared = prepareRead(operation, exchange.generation.schema, context.settings)
    if (prepared.statement === null) return { data: prepared.constant, errors: null }
    const parameters = prepared.bind(operation.variables, exchange, undefined, operation.access)
    const { rows } = await session.query(prepared.statement, parameters)
    return finishText(operation, prepared, rows[0]?.[0] ?? 'null')
  }
}

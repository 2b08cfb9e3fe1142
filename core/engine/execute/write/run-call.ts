import { SvcError } from '../../../base/errors/svc-error.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Session } from '../../../contract/database.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { PreparedWrite } from '../../../contract/prepared-write.ts'
import type { Row, Rows, Statement } from '../../../contract/statement.ts'
import type { ExecuteContext } from '../context/context.ts'
import { storedDataFailure } from '../context/failure.ts'
import { prepareRowsByKeys } from '../read/prepare-read.ts'
import type { BoundCall } from './bound-call.ts'
import { asksBefore, checkBefore } from './check-before.ts'
import { toCommitted } from './committed.ts'
import { Contributed } from './contributed.ts'
import { completeRow, idsAnswer } from './read-again.ts'
import { type HookSession, RootHooks } from './root-hooks.ts'
import { type CallAnswer, columnReader, hasFailed, type ReadEntity, rowsAnswer, voidAnswer } from './write-answer.ts'

/** Result of a mutation's root field, with the rows that it wrote. */
export interface WriteAnswer extends CallAnswer {
  /** The written rows for hooks and events; empty if no hook, event or response needs them. */
  readonly writes: readonly CommittedWrite[]
}

export const NO_WRITES: readonly CommittedWrite[] = Object.freeze([])

/**
 * Runs a mutation's root field inside a transaction: `mutation:before` hooks, access check, call of the function, reads
 * of missing fields, `mutation:after` hooks, and inserts of plugins.
 * @param call the call with its parameters
 * @param hooks session that hooks receive; `null`: there are no hooks
 */
export async function runCallIn(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  call: BoundCall,
  session: Session,
  hooks: HookSession | null,
): Promise<WriteAnswer> {
  const { plan, bound, stamp } = call
  const rootHooks =
    hooks === null || plan.mutationHooks === null
      ? null
      : new RootHooks(plan.mutationHooks, context, exchange, operation, plan.write.root, hooks)
  if (rootHooks !== null) await rootHooks.before()
  // After the hooks, because the check must see their writes.
  if (asksBefore(plan.planned)) await checkBefore(context, exchange, operation, plan.planned, session)
  const contributed =
    plan.contributions.length === 0 ? null : new Contributed(context, exchange, operation, call, session)
  await contributed?.readBefore()
  const { moves_path: moves } = plan.write.root.operation.function
  const restorePath = moves === true ? context.settings.dialect.restorePath : undefined
  const result = await callIn(session, bound, restorePath)
  const rows = plan.write.resultRows?.(result) ?? result.rows
  const answer = await answerIn(context, exchange, operation, call, rows, session)
  const { failure, failedItem } = answer
  const isUndone = operation.write?.atomic === true && (failure ?? failedItem) !== null
  if (stamp === null || isUndone || (failure !== null && answer.reported.length === 0))
    return { ...answer, writes: NO_WRITES }
  const reported = contributed === null ? answer.reported : await contributed.complete(answer.reported)
  const writes = toCommitted(plan.planned, reported, stamp)
  if (rootHooks !== null) await rootHooks.after(writes)
  await contributed?.insert(writes, stamp)
  return { ...answer, writes }
}

/** Calls the function and then restores the search_path, which the function may have set. */
async function callIn(
  session: Session,
  { statement, parameters }: BoundCall['bound'],
  restorePath: Statement | undefined,
): Promise<Rows> {
  const calling = session.query(statement, parameters)
  // Sent without waiting for the call. If the call fails, this fails too, and only the error of the call counts.
  const restoring = restorePath === undefined ? null : session.query(restorePath, [])
  restoring?.catch(() => {})
  const result = await calling
  await restoring
  return result
}

async function answerIn(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  { plan: { write, tells }, bound }: BoundCall,
  rows: readonly Row[],
  session: Session,
): Promise<CallAnswer> {
  if (write.kind === 'void') return voidAnswer(write, tells)
  const readEntity = createEntityReader(context, exchange, operation, write, session)
  if (write.kind === 'ids') return idsAnswer(write, rows, readEntity, tells)
  const read = columnReader(bound)
  // In a list, rows may fail one by one. For a single object the first row decides.
  const isFailed = !write.list && rows[0] !== undefined && hasFailed(rows[0], read)
  const texts = await Promise.all(
    rows.map((row) => (isFailed || hasFailed(row, read) ? null : completeRow(write, bound, row, readEntity))),
  )
  return rowsAnswer(write, rows, texts, read, tells)
}

/** Converts the error about an invalid id, which is a fault of the function and not of the client. Other errors are returned unchanged. */
function noId(read: SvcError, { root }: PreparedWrite, typeName: string, error: unknown): unknown {
  if (read.code !== 'BAD_USER_INPUT') return error
  const message = `Function "${root.operation.function.name}" gave an id that no ${typeName} can have. Nothing was written.`
  return new SvcError('INTERNAL_SERVER_ERROR', message, { cause: error })
}

/** Creates the function that reads entities of a mutation's root field from their sources, inside its transaction. */
function createEntityReader(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  write: PreparedWrite,
  session: Session,
): ReadEntity {
  const { schema } = exchange.generation
  const { settings } = context
  const { variables } = operation
  const { responseKey } = write.root
  return async (target, typeName, key) => {
    const selection = target.possible.get(typeName)!
    const kind = `entity ${responseKey} ${target.at ?? ''} ${typeName}`
    const read = { key: responseKey, type: selection.type, selection, many: false }
    const prepared = prepareRowsByKeys(operation, kind, read, schema, settings)
    const { statement } = prepared
    if (statement === null) throw new Error('Rows are read with a statement')
    try {
      const { rows } = await session.query(statement, prepared.bind(variables, exchange, key, operation.access))
      return rows[0]?.[0] ?? null
    } catch (error) {
      const { dialect } = settings
      const guard = dialect.errors.readGuard(error, prepared)
      const failure = guard ?? storedDataFailure(dialect, error, schema, selection.type.source, selection)
      throw failure ?? noId(dialect.errors.read(error), write, typeName, error)
    }
  }
}

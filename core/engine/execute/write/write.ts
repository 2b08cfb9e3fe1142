import { committedOutcome } from '../../../base/errors/committed-outcome.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import { withoutRetry } from '../../../base/errors/without-retry.ts'
import { isPromise } from '../../../base/util/promise.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { MutationRoot, Operation, RootCall, WriteOptions } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import type { ExecuteContext } from '../context/context.ts'
import { atRoot, isFatal } from '../context/failure.ts'
import { completeRoot, fitsRoot } from '../read/completion.ts'
import { isNullable } from '../read/read-alone.ts'
import { announce } from './announce.ts'
import { runCall } from './call-root.ts'
import { isClosed } from './is-closed.ts'
import { type RootPlan, reportsWrites, rootPlanOf } from './root-plan.ts'
import type { WriteAnswer } from './run-call.ts'
import { runInTransaction, runSingle } from './run-write.ts'
import { writeFailure } from './write-failure.ts'
import { writeTogether } from './write-together.ts'

/** Outcome of the root fields that have run so far. */
interface Progress {
  readonly errors: SvcError[]
  readonly writes: CommittedWrite[]
  /** Response keys of the roots whose writes are committed. */
  readonly committed: string[]
  /** Error that ended the request after a commit. The remaining roots are not run. */
  ended: SvcError | null
}

/**
 * Runs the root fields of a mutation in series (GraphQL specification, section 6.2.2), each in its own transaction. If
 * a nullable root field fails, the next one runs; if a non-null one fails, the operation ends.
 * @throws SvcError SERVICE_UNAVAILABLE (no connection to the database) or TIMEOUT (deadline passed), if nothing was
 * committed. After the commit of a root field, such an error is part of the result
 */
export async function resolveWrite(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<Result> {
  if (operation.write !== undefined) checkManner(operation, operation.write)
  if (operation.write?.atomic === true) return writeTogether(context, exchange, operation)
  const progress: Progress = { errors: [], writes: [], committed: [], ended: null }
  const finish = (data: string | null): Result => {
    const { errors, writes } = progress
    if (data === null) tellCommitted(progress)
    const shown = errors.length === 0 ? null : errors
    return reportsWrites(context, operation) ? { data, errors: shown, writes } : { data, errors: shown }
  }
  let data = ''
  for (const [index, root] of operation.template.roots.entries()) {
    const text =
      root.kind === 'operation'
        ? await writeRoot(context, exchange, operation, index, progress)
        : root.kind === 'literal'
          ? root.call === undefined
            ? root.json
            : await callRoot(exchange, operation, root.responseKey, root.call, progress)
          : root.kind === 'typename'
            ? JSON.stringify(root.typeName)
            : 'null'
    if (text === null) return finish(null)
    data += `${data === '' ? '' : ','}${JSON.stringify(root.responseKey)}:${text}`
  }
  return finish(`{${data}}`)
}

/** When `data` is null, lists the committed roots in the last error and removes its `Retry-After`. */
function tellCommitted({ errors, committed }: Progress): void {
  const error = errors.pop()
  if (error === undefined) return
  errors.push(committed.length === 0 ? error : withoutRetry(error, { committed }))
}

async function callRoot(
  exchange: Exchange,
  operation: Operation,
  responseKey: string,
  call: RootCall,
  { errors, ended, committed }: Progress,
): Promise<string | null> {
  if (ended !== null) {
    errors.push(notRun(ended).at([responseKey]))
    return call.nullable ? 'null' : null
  }
  const answer = await runCall(exchange, operation, responseKey, call)
  errors.push(...answer.errors)
  if (answer.errors.length === 0) committed.push(responseKey)
  return answer.text
}

function notRun({ code }: SvcError): SvcError {
  return new SvcError(code, 'This was not run, because the request ended before it.')
}

/** Runs one root field. @returns JSON text; `null` when a non-null root failed */
async function writeRoot(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  index: number,
  progress: Progress,
): Promise<string | null> {
  const root = operation.template.roots[index] as MutationRoot
  // `resolveMasked` adds the error.
  if (isClosed(root)) return 'null'
  const fail = (failure: SvcError): string | null => {
    progress.errors.push(atRoot(failure, root))
    return isNullable(root) ? 'null' : null
  }
  if (progress.ended !== null) return fail(notRun(progress.ended))
  try {
    const found = rootPlanOf(context, exchange, operation, index)
    const plan = isPromise(found) ? await found : found
    const answer = await runPlan(context, exchange, operation, plan)
    progress.writes.push(...answer.writes)
    announce(context, exchange, operation, answer.writes)
    if (answer.failure !== null && !answer.isAnswered) return fail(answer.failure)
    const stands = operation.write?.dryRun !== true
    if (stands && answer.failure === null) progress.committed.push(root.responseKey)
    if (root.denied !== undefined) return 'null'
    for (const each of answer.errors) progress.errors.push(atRoot(stands ? committedOutcome(each) : each, root))
    if (fitsRoot(operation.template, index, answer.text)) return answer.text
    const completed = completeRoot(operation.template, index, answer.text)
    // Failed list items are null and have their error already.
    const errors = completed.errors.filter(({ path }) => !answer.errors.some((shown) => isSamePath(shown.path, path)))
    progress.errors.push(...(stands ? errors.map(committedOutcome) : errors))
    return completed.text
  } catch (error) {
    const failure = writeFailure(context, error, exchange, root, operation.variables)
    if (!isFatal(context.settings.dialect.errors, failure)) return fail(failure)
    if (progress.committed.length === 0) throw failure
    progress.ended = failure
    // Without `Retry-After`: a retry of the whole request would repeat the committed writes.
    return fail(withoutRetry(failure))
  }
}

function isSamePath(one: SvcError['path'], other: SvcError['path']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

async function runPlan(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  plan: RootPlan,
): Promise<WriteAnswer> {
  if (!plan.needsTransaction && !isWatched(operation.write)) {
    try {
      return await runSingle(context, exchange, operation, plan)
    } catch (error) {
      // The statement raised an error, so nothing was written. Repeat it in a transaction, where the missing fields can be read.
      if (context.settings.dialect.errors.writeFault(error)?.fault !== 'entity-incomplete') throw error
      plan.needsTransaction = true
    }
  }
  return runInTransaction(context, exchange, operation, plan)
}

/** Tests whether options require an explicit transaction. */
function isWatched(write: WriteOptions | undefined): boolean {
  return (
    write !== undefined && (write.dryRun === true || write.certain === true || (write.preconditions?.length ?? 0) > 0)
  )
}

/**
 * Rejects options that a root field of a plugin cannot honour. It runs outside our transactions and cannot be rolled back.
 * @throws SvcError REQUEST_ERROR
 */
function checkManner({ template }: Operation, manner: WriteOptions): void {
  if (
    template.hasCalls !== true ||
    (manner.atomic !== true && manner.dryRun !== true && (manner.preconditions?.length ?? 0) === 0)
  )
    return
  const call = template.roots.find((root) => root.kind === 'literal' && root.call !== undefined)
  const name = call?.responseKey ?? ''
  throw new SvcError('REQUEST_ERROR', `"${name}" can be part neither of a transaction with others nor of a dry run.`)
}

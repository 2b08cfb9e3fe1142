import type { DialectErrors } from '../dialects/dialect.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Exchange } from '../front/exchange.ts'
import type { MutationRoot, Operation, RootCall } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import type { CommittedWrite } from '../kernel/stages.ts'
import { isPromise } from '../util/promise.ts'
import { runCall } from './call-root.ts'
import { completeRoot, fitsRoot } from './completion.ts'
import type { ExecuteContext } from './context.ts'
import { atRoot, databaseFailure, isFatal } from './failure.ts'
import { isNullable } from './read-alone.ts'
import { type RootPlan, rootPlanOf } from './root-plan.ts'
import { runInTransaction, runSingle } from './run-write.ts'
import type { WriteAnswer } from './write-answer.ts'

/**
 * The roots of a mutation, one after the other, each in its own transaction. A failing nullable root does not stop the
 * next; a failing non-null root ends the operation (decisions "Mutations").
 * @throws SvcError SERVICE_UNAVAILABLE, TIMEOUT
 */
export async function resolveWrite(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<Result> {
  const errors: SvcError[] = []
  let data = ''
  for (const [index, root] of operation.template.roots.entries()) {
    const text =
      root.kind === 'operation'
        ? await writeRoot(context, exchange, operation, index, errors)
        : root.kind === 'literal'
          ? root.call === undefined
            ? root.json
            : await callRoot(exchange, operation, root.responseKey, root.call, errors)
          : root.kind === 'typename'
            ? JSON.stringify(root.typeName)
            : 'null'
    if (text === null) return { data: null, errors }
    data += `${data === '' ? '' : ','}${JSON.stringify(root.responseKey)}:${text}`
  }
  return { data: `{${data}}`, errors: errors.length === 0 ? null : errors }
}

async function callRoot(
  exchange: Exchange,
  operation: Operation,
  responseKey: string,
  call: RootCall,
  errors: SvcError[],
): Promise<string | null> {
  const answer = await runCall(exchange, operation, responseKey, call)
  errors.push(...answer.errors)
  return answer.text
}

/** @returns JSON text of the root; `null` when it failed and may not be null */
async function writeRoot(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  index: number,
  errors: SvcError[],
): Promise<string | null> {
  const root = operation.template.roots[index] as MutationRoot
  try {
    const found = rootPlanOf(context, exchange, operation, index)
    const plan = isPromise(found) ? await found : found
    const answer = await runPlan(context, exchange, operation, plan)
    if (answer.committed !== null) announce(context, exchange, operation, plan, answer.committed)
    if (answer.failure !== null) throw answer.failure
    if (fitsRoot(operation.template, index, answer.text)) return answer.text
    const completed = completeRoot(operation.template, index, answer.text)
    errors.push(...completed.errors)
    return completed.text
  } catch (error) {
    const reader = context.settings.dialect.errors
    const failure = writeFailure(reader, error, exchange, root)
    if (isFatal(reader, failure)) throw failure
    errors.push(atRoot(failure, root))
    return isNullable(root) ? 'null' : null
  }
}

async function runPlan(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  plan: RootPlan,
): Promise<WriteAnswer> {
  if (!plan.needsTransaction) {
    try {
      return await runSingle(context, exchange, operation, plan)
    } catch (error) {
      // The statement raised, so nothing was written: it may run again where the missing fields can be read.
      if (context.settings.dialect.errors.writeFault(error)?.fault !== 'entity-incomplete') throw error
      plan.needsTransaction = true
    }
  }
  return runInTransaction(context, exchange, operation, plan)
}

function announce(
  { onCommit }: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  plan: RootPlan,
  committed: NonNullable<WriteAnswer['committed']>,
): void {
  if (onCommit === null) return
  const { operation: mutation } = plan.write.root
  const named = mutation.named.kind === 'object' && mutation.named.source !== null ? mutation.named.name : null
  const write: CommittedWrite = {
    mutation: mutation.wireName,
    kind: mutation.operation,
    ...committed,
    entityType: committed.entityType ?? named,
  }
  onCommit({ exchange, operation, writes: [write] })
}

function writeFailure(errors: DialectErrors, error: unknown, exchange: Exchange, root: MutationRoot): SvcError {
  const found = errors.writeFault(error)
  const { function: target, wireName } = root.operation
  if (found === null) return databaseFailure(errors, error, exchange.generation.schema, target)
  const what =
    found.fault === 'unknown-status'
      ? `answered with the status "${found.detail}", which is neither a success (ok, created, updated, deleted, noop …) nor a failure (failed:…, conflict:…, error:…)`
      : found.fault === 'unknown-type'
        ? `gave an entity of the type "${found.detail}", which ${wireName} does not return`
        : 'gave an entity that lacks selected fields'
  return new SvcError('INTERNAL_SERVER_ERROR', `Function "${target.name}" ${what}. Nothing was written.`, {
    cause: error,
  })
}

import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { MutationRoot, Operation, RootSelection } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import type { ExecuteContext } from '../context/context.ts'
import { atRoot, isFatal } from '../context/failure.ts'
import { completeRoot, fitsRoot } from '../read/completion.ts'
import { announce } from './announce.ts'
import { type BoundCall, bindCall } from './bound-call.ts'
import { inTransaction } from './in-transaction.ts'
import { isClosed } from './is-closed.ts'
import { reportsWrites, rootPlanOf } from './root-plan.ts'
import { runCallIn } from './run-call.ts'
import { writeFailure } from './write-failure.ts'
import { type KeptWrite, type WriteKey, writeKeyOf } from './write-key.ts'

/** Thrown to roll back all roots after one of them failed. */
class RootFailed extends Error {
  readonly root: RootSelection

  constructor(root: RootSelection, cause: unknown) {
    super('A root failed, and all are rolled back', { cause })
    this.root = root
  }
}

/**
 * Runs all root fields of a mutation in series in one transaction (`Operation.write.atomic`). If a function returns a
 * failed status, everything is rolled back.
 * @returns `data: null` and one error if a root field or COMMIT failed; the error of a root field has its path
 * @throws SvcError SERVICE_UNAVAILABLE (no connection to the database), TIMEOUT (deadline passed)
 */
export async function writeTogether(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
): Promise<Result> {
  // `resolveMasked` adds the error.
  if (operation.template.roots.some(isClosed)) return { data: null, errors: null }
  try {
    const calls = await bindAll(context, exchange, operation)
    const key = writeKeyOf(context, operation)
    const { data, writes, isNew } = await runOnce(key, () => runAll(context, exchange, operation, calls, key))
    if (isNew) announce(context, exchange, operation, writes)
    return reportsWrites(context, operation) ? { data, errors: null, writes } : { data, errors: null }
  } catch (error) {
    return { data: null, errors: [failureOf(context, exchange, operation, error)] }
  }
}

/** Runs the transaction, or returns the stored answer when a transaction with the same key was committed before. */
async function runOnce(
  key: WriteKey | null,
  run: () => Promise<KeptWrite>,
): Promise<KeptWrite & { readonly isNew: boolean }> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { ...(await run()), isNew: true }
    } catch (error) {
      const before = key === null ? null : await key.explain(error)
      if (before === null || (before === 'again' && attempt === KEY_ATTEMPTS)) throw error
      if (before !== 'again') return { ...before, isNew: false }
    }
  }
}

/** Attempts to take a key: after an expired key was removed, another request may be faster. */
const KEY_ATTEMPTS = 3

function runAll(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  calls: readonly (BoundCall | null)[],
  key: WriteKey | null,
): Promise<KeptWrite> {
  const isHooked = calls.some((call) => call !== null && call.plan.mutationHooks !== null)
  return inTransaction(context, exchange, operation, isHooked, key, async (session, hooks): Promise<KeptWrite> => {
    const texts: string[] = []
    const writes: CommittedWrite[] = []
    for (const [index, root] of operation.template.roots.entries()) {
      const call = calls[index]
      if (call === null || call === undefined) texts.push(constantOf(root))
      else {
        const answer = await atIts(root, async () => {
          const answer = await runCallIn(context, exchange, operation, call, session, hooks)
          const failure = answer.failure ?? answer.failedItem
          if (failure !== null) throw failure
          const isDenied = root.kind === 'operation' && root.denied !== undefined
          return { ...answer, text: isDenied ? 'null' : wholeText(operation, index, answer.text) }
        })
        texts.push(answer.text)
        writes.push(...answer.writes)
      }
    }
    const members = texts.map(
      (text, index) => `${JSON.stringify(operation.template.roots[index]!.responseKey)}:${text}`,
    )
    const written = { data: `{${members.join(',')}}`, writes }
    await key?.keep(session, written)
    return written
  })
}

/** Binds the parameters of all roots, so that errors in them are thrown before anything runs. */
async function bindAll(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
): Promise<readonly (BoundCall | null)[]> {
  const calls: (BoundCall | null)[] = []
  for (const [index, root] of operation.template.roots.entries()) {
    if (root.kind !== 'operation') calls.push(null)
    else {
      const bind = async () =>
        bindCall(exchange, operation, await rootPlanOf(context, exchange, operation, index), 'transaction')
      calls.push(await atIts(root, bind))
    }
  }
  return calls
}

async function atIts<T>(root: RootSelection, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new RootFailed(root, error)
  }
}

/** Returns the text of a root. A value that its type forbids fails the operation, because its answer must be complete. */
function wholeText({ template }: Operation, index: number, text: string): string {
  if (fitsRoot(template, index, text)) return text
  const completed = completeRoot(template, index, text)
  const [error] = completed.errors
  if (error !== undefined) throw error
  return completed.text ?? 'null'
}

function constantOf(root: RootSelection): string {
  if (root.kind === 'typename') return JSON.stringify(root.typeName)
  return root.kind === 'literal' ? root.json : 'null'
}

function failureOf(context: ExecuteContext, exchange: Exchange, operation: Operation, error: unknown): SvcError {
  const { template, variables } = operation
  const { errors } = context.settings.dialect
  const { root, cause } = error instanceof RootFailed ? error : { root: null, cause: error }
  const written = root ?? template.roots.find(({ kind }) => kind === 'operation')
  const failure = writeFailure(context, cause, exchange, written as MutationRoot, variables)
  if (isFatal(errors, failure)) throw failure
  // COMMIT failed, which concerns no particular root.
  return root === null ? failure : atRoot(failure, root)
}

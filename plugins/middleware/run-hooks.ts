import type { AfterMutation, BeforeMutation, HookContext } from '../../core/doors/command.ts'
import { type CommittedWrite, type Exchange, type MutationCall, parseJson } from '../../core/doors/plugin.ts'
import { authorError } from './author-error.ts'

/**
 * Runs the author's hooks before a mutation, one after another.
 * @throws the error of a hook, which aborts the mutation
 */
export async function runBefore(hooks: readonly BeforeMutation[], ctx: Exchange, call: MutationCall): Promise<void> {
  const args = freeze(structuredClone({ ...call.arguments }))
  const context = hookContext(ctx, call)
  await inTurn(hooks, (hook) => hook(args, context))
}

/**
 * Runs the author's hooks after a mutation and before its COMMIT, one after another.
 * @param writes rows that the mutation reported
 * @throws the error of a hook, which rolls the mutation back
 */
export async function runAfter(
  hooks: readonly AfterMutation[],
  ctx: Exchange,
  call: MutationCall,
  writes: readonly CommittedWrite[],
): Promise<void> {
  const { list } = call.root.operation
  const entities = writes.map(entityOf)
  const entity = freeze(list ? entities : (entities[0] ?? null))
  const context = hookContext(ctx, call)
  await inTurn(hooks, (hook) => hook(entity, context))
}

/** The row that the function reported: the row before a delete, or only the id if the function reported no more. */
function entityOf({ entity, before, entityId }: CommittedWrite): unknown {
  const text = entity ?? before
  if (text !== null) return parseJson(text)
  return entityId === null ? null : { id: entityId }
}

async function inTurn<F>(hooks: readonly F[], run: (hook: F) => unknown): Promise<void> {
  try {
    for (const hook of hooks) await run(hook)
  } catch (error) {
    throw authorError(error)
  }
}

/** Freezes values, because changes to them would have no effect. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}

/** Creates the context of the hooks of a mutation: facts of the request, and queries in the transaction. */
function hookContext(ctx: Exchange, { mutation, kind, session, dryRun }: MutationCall): HookContext {
  return {
    mutation,
    operation: kind,
    id: ctx.id,
    transport: ctx.transport,
    headers: ctx.headers,
    address: ctx.address,
    auth: ctx.auth,
    context: ctx.context,
    isDryRun: dryRun,
    query: async (text, parameters = []) => (await session.query({ name: null, text }, parameters)).rows,
  }
}

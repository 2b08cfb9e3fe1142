import type { AfterMutation, BeforeMutation } from '../../core/doors/command.ts'
import { type CommittedWrite, type Exchange, type MutationCall, parseJson } from '../../core/doors/plugin.ts'
import { authorError } from './author-error.ts'
import { hookContext } from './hook-context.ts'

/** @throws what a hook threw: the mutation is aborted */
export async function runBefore(hooks: readonly BeforeMutation[], ctx: Exchange, call: MutationCall): Promise<void> {
  const args = freeze(structuredClone({ ...call.arguments }))
  const context = hookContext(ctx, call)
  await inTurn(hooks, (hook) => hook(args, context))
}

/** @throws what a hook threw: the mutation is rolled back */
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

/** The row as the function told of it: of a delete as it was, of a bare id that alone. */
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

/** Values that are only shown: a change that reaches nobody must not look as if it did. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}

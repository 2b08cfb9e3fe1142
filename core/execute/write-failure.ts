import type { Exchange } from '../contract/exchange.ts'
import type { MutationRoot } from '../contract/operation.ts'
import { blame } from '../errors/blame.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { ExecuteContext } from './context.ts'
import { databaseFailure } from './failure.ts'
import { nothingFound } from './write-answer.ts'

/** An error of a mutation's statements as the client may see it. */
export function writeFailure(
  context: ExecuteContext,
  error: unknown,
  exchange: Exchange,
  root: MutationRoot,
): SvcError {
  const { errors } = context.settings.dialect
  const found = errors.writeFault(error)
  const { function: target, wireName } = root.operation
  if (found === null)
    return pluginFailure(context, error) ?? databaseFailure(errors, error, exchange.generation.schema, target)
  if (found.fault === 'nothing-found') return nothingFound(wireName)
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

/** The table of a plugin that took no row of the write (`scope.writes`): no business of the client's, and no fault of the function. */
function pluginFailure({ contributions, settings }: ExecuteContext, error: unknown): SvcError | null {
  const { errors } = settings.dialect
  if (error instanceof SvcError || contributions.length === 0 || errors.isRaised(error)) return null
  const table = errors.missingRelation(error) ?? errors.refusingTable?.(error) ?? null
  const owner =
    table === null ? undefined : contributions.find(({ insert }) => insert?.table.split('.').at(-1) === table)
  if (owner === undefined) return null
  const reason = new Error(
    `The table "${table}" of plugin "${owner.plugin}" takes no row: ${(error as Error).message}`,
    {
      cause: error,
    },
  )
  return new SvcError('INTERNAL_SERVER_ERROR', 'An internal error occurred.', { cause: blame(reason, owner.plugin) })
}

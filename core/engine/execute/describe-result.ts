import { SvcError } from '../../base/errors/svc-error.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { MutationRoot, Operation } from '../../contract/operation.ts'
import type { CompiledFunction, CompiledReturn } from '../../schema/compiled.ts'
import { returnFromColumns } from '../../schema/return-form.ts'
import { planCall } from '../plan/write/write-call.ts'
import type { ExecuteContext } from './context.ts'
import { readSettings } from './session-settings.ts'

const described = new WeakMap<CompiledFunction, CompiledReturn>()

/**
 * Describes the result of a function, for schemas that were compiled without a catalog. It runs a query with LIMIT 0, whose columns describe
 * the result and which does not call the function. Cached for each function.
 */
export async function describeResult(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  root: MutationRoot,
): Promise<CompiledReturn> {
  const target = root.operation.function
  const known = described.get(target)
  if (known !== undefined) return known
  const input = { variables: operation.variables, exchange }
  const { describeCall } = context.settings.dialect
  if (describeCall === null) {
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `Nobody knows what "${target.name}" gives back: the schema was compiled without a catalog. Compile it with the database.`,
    )
  }
  const query = describeCall(planCall(root), input)
  const settings = readSettings(operation)
  const { columns } = await context.database().query(query.statement, query.parameters, exchange, settings)
  const returns = returnFromColumns(columns, target.name, root.selection === null)
  described.set(target, returns)
  return returns
}

import { describeCall, returnFromColumns } from '../dialects/postgres/mutation/describe.ts'
import type { Exchange } from '../front/exchange.ts'
import type { MutationRoot, Operation } from '../front/operation.ts'
import type { CompiledFunction, CompiledReturn } from '../schema/compiled.ts'
import type { ExecuteContext } from './context.ts'

const described = new WeakMap<CompiledFunction, CompiledReturn>()

/**
 * What a function gives back, where the schema was compiled without a catalog: a query of it that asks for no row says
 * its columns, and does not call it. Once per function.
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
  const { statement, parameters } = describeCall(root, { variables: operation.variables, exchange })
  const { columns } = await context.database().query(statement, parameters, exchange)
  const returns = returnFromColumns(columns, target.name, root.selection === null)
  described.set(target, returns)
  return returns
}

import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { MutationHooks } from '../../../contract/mutation-hooks.ts'
import type { MutationRoot, Operation, RootSelection } from '../../../contract/operation.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { PreparedWrite } from '../../../contract/prepared-write.ts'
import type { MaybePromise } from '../../../contract/stages.ts'
import type { OwnedContribution } from '../../../contract/write-contribution.ts'
import type { CompiledFunction, CompiledReturn } from '../../../schema/compiled.ts'
import type { SchemaModel } from '../../../schema/model.ts'
import { returnFromColumns } from '../../../schema/return-form.ts'
import { plansOf } from '../../plan/plan-cache.ts'
import { planWrite } from '../../plan/write/plan-write.ts'
import { planCall } from '../../plan/write/write-call.ts'
import type { ExecuteContext } from '../context/context.ts'
import { readSettings } from '../context/session-settings.ts'
import { asksBefore } from './check-before.ts'

/**
 * The cached plan of a mutation's root field. `needsTransaction` changes when a run shows that a single statement is
 * not sufficient.
 */
export interface RootPlan {
  readonly planned: WritePlan
  readonly write: PreparedWrite
  /** `true`: hooks, events or the response need the written rows, so that the statement returns them. */
  readonly tells: boolean
  /** The `mutation:before` and `mutation:after` hooks of plugins for the mutation; `null`: none. */
  readonly mutationHooks: MutationHooks | null
  /** What plugins add to the mutation (`scope.writes`), such as an INSERT for each written row. */
  readonly contributions: readonly OwnedContribution[]
  /**
   * `true`: the call needs an explicit transaction, because more statements follow. Also set after a call whose
   * function did not return all selected fields.
   */
  needsTransaction: boolean
}

interface RootPlans {
  readonly schema: SchemaModel
  readonly settings: ExecuteContext['settings']
  readonly plans: (RootPlan | undefined)[]
}

const KEY = 'write'

/**
 * Returns the plan of a mutation's root field, and makes it on first use. It is cached for later requests with the same
 * document and schema.
 * @param index index of the root field in the template
 */
export function rootPlanOf(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  index: number,
): MaybePromise<RootPlan> {
  const { template } = operation
  const { schema } = exchange.generation
  const { settings } = context
  const plans = plansOf(template)
  let own = plans.get(KEY) as RootPlans | undefined
  if (own === undefined || own.schema !== schema || own.settings !== settings) {
    own = { schema, settings, plans: [] }
    plans.set(KEY, own)
  }
  const events = reportsRoot(context, operation, operation.template.roots[index] as MutationRoot)
  // Two plans for each root, because requests of one document may or may not request the written rows.
  const at = index * 2 + (events ? 1 : 0)
  return own.plans[at] ?? makePlan(context, exchange, operation, index, events, own, at)
}

/** Tests whether hooks, events or the response (`Operation.write.tell`) need the rows that a mutation writes. */
export function reportsWrites(context: ExecuteContext, operation: Operation): boolean {
  if (context.onCommit !== null || operation.write?.tell === true) return true
  if (context.mutationHooks === null) return false
  return operation.template.roots.some((root) => root.kind === 'operation' && reportsRoot(context, operation, root))
}

function reportsRoot(
  { onCommit, mutationHooks }: ExecuteContext,
  operation: Operation,
  root: Extract<RootSelection, { kind: 'operation' }>,
): boolean {
  if (onCommit !== null || operation.write?.tell === true) return true
  return (
    mutationHooks !== null &&
    root.operation.kind === 'mutation' &&
    (mutationHooks(root.operation)?.after ?? null) !== null
  )
}

async function makePlan(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  index: number,
  events: boolean,
  own: RootPlans,
  at: number,
): Promise<RootPlan> {
  const root = operation.template.roots[index] as MutationRoot
  const returns: CompiledReturn =
    root.operation.function.returns ?? (await describeResult(context, exchange, operation, root))
  const mutationHooks = context.mutationHooks?.(root.operation) ?? null
  const contributions = context.contributions.filter(({ mutations }) => mutations?.(root.operation) ?? true)
  const { observePlan, dialect } = context.settings
  const make = () => {
    const planned = planWrite(root, returns, { events, contributions, access: operation.access })
    return { planned, write: dialect.write(planned, operation.template.onPlanned) }
  }
  const { planned, write } = observePlan ? observePlan(operation, KEY, make) : make()
  const isAlone = contributions.length === 0 || write.contributes === true
  const plan: RootPlan = {
    planned,
    write,
    tells: events || planned.inserts.length > 0,
    mutationHooks,
    contributions,
    needsTransaction: asksBefore(planned) || write.readsAgain || !isAlone || mutationHooks !== null,
  }
  own.plans[at] = plan
  return plan
}

const described = new WeakMap<CompiledFunction, CompiledReturn>()

/**
 * Describes the result of a function, for schemas that were compiled without a catalog. It runs a query with LIMIT 0, whose columns describe
 * the result and which does not call the function. Cached for each function.
 */
async function describeResult(
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
      `The result type of "${target.name}" is unknown, because the schema was compiled without a catalog. Compile it with the database.`,
    )
  }
  const query = describeCall(planCall(root), input)
  const settings = readSettings(operation)
  const { columns } = await context.database().query(query.statement, query.parameters, exchange, settings)
  const returns = returnFromColumns(columns, target.name, root.selection === null)
  described.set(target, returns)
  return returns
}

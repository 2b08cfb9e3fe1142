import type { PreparedWrite } from '../dialects/prepared-write.ts'
import type { Exchange } from '../front/exchange.ts'
import type { MutationRoot, Operation } from '../front/operation.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { planWrite } from '../plan/plan-write.ts'
import type { CompiledReturn } from '../schema/compiled.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { ExecuteContext } from './context.ts'
import { describeResult } from './describe-result.ts'

/** A mutation root of a template, and what was learnt by running it. */
export interface RootPlan {
  readonly write: PreparedWrite
  /** Set when an entity lacked what is selected: then the transaction comes first from now on. */
  needsTransaction: boolean
}

interface RootPlans {
  readonly schema: SchemaModel
  readonly settings: ExecuteContext['settings']
  readonly plans: (RootPlan | undefined)[]
}

const KEY = 'write'

/** The plan of a root, kept with its template for as long as the schema is the same. */
export function rootPlanOf(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  index: number,
): MaybePromise<RootPlan> {
  const { template } = operation
  const { schema } = exchange.generation
  const { settings } = context
  let own = template.plans.get(KEY) as RootPlans | undefined
  if (own === undefined || own.schema !== schema || own.settings !== settings) {
    own = { schema, settings, plans: [] }
    template.plans.set(KEY, own)
  }
  return own.plans[index] ?? makePlan(context, exchange, operation, index, own)
}

async function makePlan(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  index: number,
  own: RootPlans,
): Promise<RootPlan> {
  const root = operation.template.roots[index] as MutationRoot
  const returns: CompiledReturn =
    root.operation.function.returns ?? (await describeResult(context, exchange, operation, root))
  const planned = planWrite(root, returns, { events: context.onCommit !== null })
  const write = context.settings.dialect.write(planned, operation.template.onPlanned)
  const plan: RootPlan = { write, needsTransaction: write.readsAgain }
  own.plans[index] = plan
  return plan
}

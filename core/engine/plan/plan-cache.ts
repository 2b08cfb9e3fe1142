import type { Operation } from '../../contract/operation.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { PlanSettings } from './context/settings.ts'
import { plansOf } from './plans-of.ts'
import { shapeKey, shapeReaders } from './shape-key.ts'

/** Plans kept per template and kind; the one that was not used longest goes. */
const MOST_PLANS = 64
/** A longer shape is that of a filter made for one request: planned, not kept, not prepared. */
const LONGEST_KEY = 2000

/** A plan, as far as the cache is concerned. */
interface Weighed {
  /** About the memory that it holds. */
  readonly bytes: number
}

/** Plans of one kind (`read`, `read:1`, …) that hang on a template. */
interface TemplatePlans<T> {
  readonly schema: SchemaModel
  readonly settings: object
  readonly readers: ReturnType<typeof shapeReaders>
  /** The only plan of a template whose variables do not matter. */
  single: T | null
  readonly byShape: Map<string, T>
}

/**
 * The plan of an operation's shape, built when it is new.
 * @param kind name of the plan among those of the template
 * @param settings by identity: others mean other plans
 * @param build gets `keep: false` when the plan is for this request alone. A function of the module: a closure would be
 * made for every request
 */
export function cachedPlan<T extends Weighed, S extends Pick<PlanSettings, 'observePlan'>>(
  operation: Operation,
  kind: string,
  schema: SchemaModel,
  settings: S,
  build: (keep: boolean, operation: Operation, schema: SchemaModel, settings: S) => T,
): T {
  const { template } = operation
  const plans = plansOf(template)
  let own = plans.get(kind) as TemplatePlans<T> | undefined
  if (own === undefined || own.schema !== schema || own.settings !== settings) {
    own = { schema, settings, readers: shapeReaders(template), single: null, byShape: new Map() }
    plans.set(kind, own)
  }
  if (own.single !== null) return own.single
  if (own.readers.length === 0) {
    own.single = makePlan(kind, settings, build, true, operation, schema)
    template.onPlanned?.(own.single.bytes)
    return own.single
  }
  const key = shapeKey(own.readers, operation.variables)
  if (key.length > LONGEST_KEY) return makePlan(kind, settings, build, false, operation, schema)
  const { byShape } = own
  let plan = byShape.get(key)
  if (plan === undefined) {
    plan = makePlan(kind, settings, build, true, operation, schema)
    let { bytes } = plan
    if (byShape.size >= MOST_PLANS) bytes -= dropOldest(byShape)
    template.onPlanned?.(bytes)
  } else if (byShape.size >= MOST_PLANS) byShape.delete(key)
  else return plan
  byShape.set(key, plan)
  return plan
}

function makePlan<T, S extends Pick<PlanSettings, 'observePlan'>>(
  kind: string,
  settings: S,
  build: (keep: boolean, operation: Operation, schema: SchemaModel, settings: S) => T,
  keep: boolean,
  operation: Operation,
  schema: SchemaModel,
): T {
  const { observePlan } = settings
  if (observePlan === undefined || observePlan === null) return build(keep, operation, schema, settings)
  return observePlan(operation, kind, () => build(keep, operation, schema, settings))
}

/** @returns what it weighed */
function dropOldest<T extends Weighed>(byShape: Map<string, T>): number {
  for (const [key, plan] of byShape) {
    byShape.delete(key)
    return plan.bytes
  }
  return 0
}

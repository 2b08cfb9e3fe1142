import type { Operation, OperationTemplate } from '../../contract/operation.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { PlanSettings } from './context/settings.ts'
import { shapeKey, shapeReaders } from './shape-key.ts'

/** Limit of cached plans per template and kind. The least recently used one is evicted. */
const MOST_PLANS = 64
/**
 * Longest cached key. A plan with a longer one, such as that of a large filter, is likely to be used once: it is neither cached nor
 * prepared.
 */
const LONGEST_KEY = 2000

/** A plan, with the members that the cache uses. */
interface Weighed {
  /** Approximate memory in bytes. */
  readonly bytes: number
}

/** Cached plans of one kind (`read`, `read:1`, …) of a template. */
interface TemplatePlans<T> {
  readonly schema: SchemaModel
  readonly settings: object
  readonly readers: ReturnType<typeof shapeReaders>
  /** The only plan of a template that does not depend on variables. */
  single: T | null
  readonly byShape: Map<string, T>
}

/**
 * Returns a cached plan of an operation. Plans are cached with the template object (the part of an operation that
 * depends only on the document). If none fits the structure of the variables, the function builds and caches one.
 * @param kind name that distinguishes kinds of plans of one operation, such as `read`
 * @param settings compared by identity: another object needs other plans
 * @param build creates the plan; `keep: false`: for this request only. Pass a function of the module, because a closure
 * would be created for every request
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

/** Evicts the oldest plan. @returns its weight in bytes */
function dropOldest<T extends Weighed>(byShape: Map<string, T>): number {
  for (const [key, plan] of byShape) {
    byShape.delete(key)
    return plan.bytes
  }
  return 0
}

const kept = new WeakMap<OperationTemplate, Map<string, unknown>>()

/**
 * Returns the cached plans of a template by kind; callers may add to the map. The plans are discarded with the template
 * object. A copy of a template has none.
 */
export function plansOf(template: OperationTemplate): Map<string, unknown> {
  let plans = kept.get(template)
  if (plans === undefined) {
    plans = new Map()
    kept.set(template, plans)
  }
  return plans
}

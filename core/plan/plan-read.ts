import { SvcError } from '../errors/svc-error.ts'
import type { AbstractSelection, ObjectSelection, Operation, QueryRoot, RootSelection } from '../front/operation.ts'
import type { ObjectType, SchemaModel } from '../schema/model.ts'
import { boundKeys, planByKeys } from './by-keys.ts'
import { planNodeRoot } from './node-root.ts'
import { below, createPlanContext, type PlanContext } from './plan-context.ts'
import { planQueryRoot } from './query-root.ts'
import type { ReadPlan, RootPlan, RootValue } from './read-plan.ts'
import type { PlanSettings } from './settings.ts'

/**
 * The plan of a query operation: what to read, without SQL.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR when the operation cannot be planned with these variables
 */
export function planRead(operation: Operation, schema: SchemaModel, settings: PlanSettings): ReadPlan {
  const context = createPlanContext(schema, settings, operation.variables)
  const roots = operation.template.roots.map((root) => ({ key: root.responseKey, value: planRoot(context, root) }))
  return finish(context, roots, false)
}

/** The plan of one root by itself. */
export function planRootAlone(
  operation: Operation,
  index: number,
  schema: SchemaModel,
  settings: PlanSettings,
): ReadPlan {
  const root = operation.template.roots[index]
  if (root === undefined) throw new RangeError(`The operation has no root ${index}`)
  const context = createPlanContext(schema, settings, operation.variables)
  return finish(context, [{ key: root.responseKey, value: planRoot(context, root) }], true)
}

/** What to read of a type by the keys that the engine has. */
export interface KeysRead {
  /** Response key, for the paths of errors. */
  readonly key: string
  readonly type: ObjectType
  readonly selection: ObjectSelection | AbstractSelection
  /** `false`: one object. `true`: a list, in the order of the keys, without those that do not exist. */
  readonly many: boolean
}

/**
 * Rows of a type by keys (`BindInput.keys`). The rules of queries are not laid on them: the caller has decided what may
 * be seen.
 * @throws SvcError INTERNAL_SERVER_ERROR when the type has no source with an id
 */
export function planRowsByKeys(
  read: KeysRead,
  variables: Operation['variables'],
  schema: SchemaModel,
  settings: PlanSettings,
): ReadPlan {
  const { key, type, many } = read
  const context = createPlanContext(schema, settings, variables)
  const keys = boundKeys(type)
  const rows = planByKeys(below(context, key), type, read.selection, null, { list: true, many, slotOf: () => keys })
  const value: RootValue = { kind: 'byKeys', rows, many }
  return finish(context, [{ key, value }], true)
}

function planRoot(context: PlanContext, root: RootSelection): RootValue {
  context.counts.nodes += 1
  switch (root.kind) {
    case 'typename':
      return { kind: 'constant', json: JSON.stringify(root.typeName) }
    case 'literal':
      return { kind: 'constant', json: root.json }
    case 'node':
      return planNodeRoot(context, root)
    case 'operation': {
      if (root.operation.kind !== 'query') {
        throw new SvcError('INTERNAL_SERVER_ERROR', `${root.operation.wireName} is no query.`)
      }
      return planQueryRoot(context, root as QueryRoot)
    }
  }
}

/** What a node of the plan keeps with its slots, about. */
const NODE_BYTES = 300

function finish({ counts }: PlanContext, roots: readonly RootPlan[], alone: boolean): ReadPlan {
  return Object.freeze({ roots, alone, weight: (counts.nodes + counts.conditions) * NODE_BYTES })
}

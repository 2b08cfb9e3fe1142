import { SvcError } from '../../base/errors/svc-error.ts'
import type { Access } from '../../contract/access.ts'
import type {
  AbstractSelection,
  ObjectSelection,
  Operation,
  QueryRoot,
  RootSelection,
} from '../../contract/operation.ts'
import type { ReadPlan, RootPlan, RootValue } from '../../contract/plan/read-plan.ts'
import type { ObjectType, SchemaModel } from '../../schema/model.ts'
import { planWhere } from './conditions/where.ts'
import { below, createPlanContext, type PlanContext } from './context/plan-context.ts'
import type { PlanSettings } from './context/settings.ts'
import { planAggregateRoot } from './rows/aggregate-root.ts'
import { planBoundKeys } from './rows/by-keys.ts'
import { planNodeRoot } from './rows/node-root.ts'
import { planQueryRoot } from './rows/query-root.ts'
import { planRelatedRoot } from './rows/related-root.ts'
import { planRowsRoot } from './rows/rows-root.ts'

/**
 * Plans a query: which rows and fields to read under which conditions, as a tree without SQL.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR if the operation cannot be planned with these variables
 */
export function planRead(operation: Operation, schema: SchemaModel, settings: PlanSettings): ReadPlan {
  const context = createPlanContext(schema, settings, operation.variables, planWhere, operation.access)
  const roots = operation.template.roots.map((root) => ({ key: root.responseKey, value: planRoot(context, root) }))
  return finish(context, roots, false)
}

/** Plans one root field of a query, like {@link planRead}. @param index index of the root field in the template */
export function planRootAlone(
  operation: Operation,
  index: number,
  schema: SchemaModel,
  settings: PlanSettings,
): ReadPlan {
  const root = operation.template.roots[index]
  if (root === undefined) throw new RangeError(`The operation has no root ${index}`)
  const context = createPlanContext(schema, settings, operation.variables, planWhere, operation.access)
  return finish(context, [{ key: root.responseKey, value: planRoot(context, root) }], true)
}

/**
 * What to read of rows whose keys the engine passes when it runs the statement, such as the row that a mutation has
 * written.
 */
export interface KeysRead {
  /** Response key of the rows, which the paths of errors contain. */
  readonly key: string
  readonly type: ObjectType
  readonly selection: ObjectSelection | AbstractSelection
  /** `false`: one object. `true`: a list in the order of the keys, in which missing rows are left out. */
  readonly many: boolean
}

/**
 * Plans the read of rows of a type by their ids, or of one row by its key columns, which the engine passes later
 * (`BindInput.keys`). Access rules of the type apply, but not those of queries, because the calling code has checked
 * access already.
 * @throws SvcError INTERNAL_SERVER_ERROR if the type has no view or table with an id or a key
 */
export function planRowsByKeys(
  read: KeysRead,
  variables: Operation['variables'],
  schema: SchemaModel,
  settings: PlanSettings,
  access?: Access,
): ReadPlan {
  const { key, type, many } = read
  const context = createPlanContext(schema, settings, variables, planWhere, access)
  const rows = planBoundKeys(below(context, key), type, read.selection, many)
  const value: RootValue = { kind: 'byKeys', rows, many }
  return finish(context, [{ key, value }], true)
}

function planRoot(context: PlanContext, root: RootSelection): RootValue {
  context.counts.nodes += 1
  if ('denied' in root && root.denied !== undefined) return { kind: 'constant', json: 'null' }
  switch (root.kind) {
    case 'typename':
      return { kind: 'constant', json: JSON.stringify(root.typeName) }
    case 'literal':
      return { kind: 'constant', json: root.json }
    case 'node':
      return planNodeRoot(context, root)
    case 'rows':
      return planRowsRoot(context, root)
    case 'related':
      return planRelatedRoot(context, root)
    case 'aggregate':
      return planAggregateRoot(context, root)
    case 'operation': {
      if (root.operation.kind !== 'query') {
        throw new SvcError('INTERNAL_SERVER_ERROR', `${root.operation.wireName} is no query.`)
      }
      return planQueryRoot(context, root as QueryRoot)
    }
  }
}

/** Estimated size of a node of a plan with its slots. */
const NODE_BYTES = 300

/** Estimates the memory of a plan in bytes, from the number of its nodes and conditions. */
export function weighPlan({ counts }: PlanContext): number {
  return (counts.nodes + counts.conditions) * NODE_BYTES
}

function finish(context: PlanContext, roots: readonly RootPlan[], alone: boolean): ReadPlan {
  return Object.freeze({ roots, alone, caller: context.caller, weight: weighPlan(context) })
}

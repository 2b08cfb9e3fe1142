import type { ObjectSelection, RootSelection } from '../../../contract/operation.ts'
import type { RootValue, Rows } from '../../../contract/plan/read-plan.ts'
import type { ObjectType, QueryModel, SchemaModel } from '../../../schema/model.ts'
import { below, inputError, type PlanContext } from '../context/plan-context.ts'
import { argumentValue, type PlanValue } from '../context/plan-value.ts'
import { toText } from '../values/operand.ts'
import { planByKeys } from './by-keys.ts'
import { nodeIdOf } from './node-id.ts'

/**
 * Plans the root field `node(id)` (https://relay.dev/graphql/objectidentification.htm). A global id names its type; a
 * plain id is looked up in each relay type, in schema order. Access rules of the query from {@link nodeQueryOf} apply.
 * An unknown id, and a type that no query returns, give null.
 */
export function planNodeRoot(context: PlanContext, root: Extract<RootSelection, { kind: 'node' }>): RootValue {
  const at = below(context, root.responseKey)
  const id = argumentValue(root.arguments, 'id', context.variables)
  if (typeof id.sample !== 'string') throw inputError(at, 'id', 'a node has an id.')
  const candidates: Rows[] = []
  const { of } = context.settings
  for (const type of nodeTypes(context.schema, id.sample)) {
    if (of !== undefined && type.source?.database !== of.database) continue
    const possible = root.selection?.kind === 'abstract' ? root.selection.possible.get(type.name) : root.selection
    const query = nodeQueryOf(context.schema, type)
    // Without a query there are no rules that could apply, so the type stays hidden.
    if (possible?.kind !== 'object' || possible.denied !== undefined || possible.type !== type || query === null)
      continue
    candidates.push(planNode(at, type, query, possible, id))
  }
  return { kind: 'firstOf', candidates }
}

/** Returns the relay types to which an id of `node(id)` may belong: the one that a global id names, otherwise all. */
export function nodeTypes(schema: SchemaModel, id: string): readonly ObjectType[] {
  const name = nodeIdOf(id)?.type
  const named = name === undefined ? undefined : schema.relayTypes.find((type) => type.name === name)
  return named === undefined ? schema.relayTypes : [named]
}

/**
 * Returns the query whose access rules apply to rows of a type at the root field `node`: its single query by id, else
 * any single query, else its first list query. `null`: no query returns the type.
 */
export function nodeQueryOf(schema: SchemaModel, type: ObjectType): QueryModel | null {
  const queries = [...schema.queries.values()].filter((query) => query.named === type)
  const single = queries.filter((query) => !query.list)
  return single.find((query) => query.arguments.has('id')) ?? single[0] ?? queries[0] ?? null
}

function planNode(
  context: PlanContext,
  type: ObjectType,
  query: QueryModel,
  selection: ObjectSelection,
  id: PlanValue,
): Rows {
  const field = type.fields.get('id')
  if (field === undefined) throw inputError(context, 'id', `${type.name} has no id.`)
  // An id that is invalid for this type matches no row. It is no error, because other types are tried as well.
  const key = (target: { readonly type: string | null }) => ({
    read: ({ variables }: { readonly variables: Readonly<Record<string, unknown>> }) => {
      const given = id.read(variables)
      if (typeof given !== 'string') return null
      const node = nodeIdOf(given)
      try {
        return toText(node?.type === type.name ? node.id : given, field.named, target.type)
      } catch {
        return null
      }
    },
  })
  return planByKeys(context, type, selection, query, {
    list: false,
    many: false,
    slotOf: key,
  })
}

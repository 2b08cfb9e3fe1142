import type { RootSelection } from '../front/operation.ts'
import type { ObjectType, QueryModel, SchemaModel } from '../schema/model.ts'
import { join, parameter, type SqlFragment, sql } from '../sql/fragment.ts'
import { nodeIdOf } from './node-id.ts'
import { comparable, toText } from './operand.ts'
import { below, inputError, type PlanContext } from './plan-context.ts'
import { argumentValue, type PlanValue } from './plan-value.ts'
import { fieldValue, openRow } from './row.ts'
import { rowsFrom } from './rows.ts'
import { securityConditions } from './security.ts'
import { project, subquery } from './selection.ts'

/**
 * The relay root `node(id)`: a global id names its type, a bare id is tried against each relay type in schema order. The
 * rules of the type's own query hold (behaviours 6). Unknown is null, and so is what no query returns.
 */
export function nodeRootText(context: PlanContext, root: Extract<RootSelection, { kind: 'node' }>): SqlFragment {
  const at = below(context, root.responseKey)
  const id = argumentValue(root.arguments, 'id', context.variables)
  if (typeof id.sample !== 'string') throw inputError(at, 'id', 'a node has an id.')
  const types = nodeTypes(context.schema, id.sample)
  const texts: SqlFragment[] = []
  for (const type of types) {
    const possible = root.selection?.kind === 'abstract' ? root.selection.possible.get(type.name) : root.selection
    const query = nodeQueryOf(context.schema, type)
    // What no query returns has no rules, and is shown to nobody.
    if (possible?.kind !== 'object' || possible.type !== type || query === null) continue
    texts.push(nodeText(at, type, query, possible, id))
  }
  return sql`coalesce(${join([...texts, sql`'null'`], ', ')})`
}

/** The types that an id may belong to. */
export function nodeTypes(schema: SchemaModel, id: string): readonly ObjectType[] {
  const name = nodeIdOf(id)?.type
  const named = name === undefined ? undefined : schema.relayTypes.find((type) => type.name === name)
  return named === undefined ? schema.relayTypes : [named]
}

/**
 * The query whose rules guard `node` for a type: its single query by id, else any single query, else its first list.
 * `null` when the type is the result of no query.
 */
export function nodeQueryOf(schema: SchemaModel, type: ObjectType): QueryModel | null {
  const queries = [...schema.queries.values()].filter((query) => query.named === type)
  const single = queries.filter((query) => !query.list)
  return single.find((query) => query.arguments.has('id')) ?? single[0] ?? queries[0] ?? null
}

function nodeText(
  context: PlanContext,
  type: ObjectType,
  query: QueryModel,
  selection: Extract<RootSelection, { kind: 'node' }>['selection'],
  id: PlanValue,
): SqlFragment {
  if (type.source === null || selection?.kind !== 'object') throw new Error(`${type.name} has no source`)
  const row = openRow(context, query.source, query.document ?? type.document)
  const projection = project(context, selection, row, '__typename')
  const conditions = securityConditions(context, query, row)
  conditions.push(idCondition(context, type, row, id))
  const rows = rowsFrom(row, { conditions, order: null, page: sql` LIMIT 1` })
  return sql`(SELECT to_json(${projection.value})::text FROM ${subquery(projection, rows)})`
}

/** An id that cannot be one of this type is not found; it is no error, because others are tried as well. */
function idCondition(
  context: PlanContext,
  type: ObjectType,
  row: ReturnType<typeof openRow>,
  id: PlanValue,
): SqlFragment {
  const field = type.fields.get('id')
  if (field === undefined || field.named.kind !== 'scalar') throw inputError(context, 'id', `${type.name} has no id.`)
  const stored = fieldValue(row, field)
  if (stored === null) throw inputError(context, 'id', `${type.name} has no id.`)
  const { named } = field
  const target = comparable(named, stored)
  const slot = parameter({
    read: ({ variables }) => {
      const given = id.read(variables)
      if (typeof given !== 'string') return null
      const node = nodeIdOf(given)
      try {
        return toText(node?.type === type.name ? node.id : given, named, target.type)
      } catch {
        return null
      }
    },
  })
  return sql`${target.value} = ${target.operand(slot)}`
}

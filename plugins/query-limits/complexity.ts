import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  readsRows,
  type SelectionSetNode,
} from '../graphql/api.ts'
import { isMeta } from './is-meta.ts'
import type { QueryLimits } from './options.ts'

type Weights = Pick<QueryLimits, 'max_query_complexity' | 'scalar_weight' | 'object_weight' | 'list_weight'>
type Field = Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>
/** Fields of a type with the same response key, which are one field of the response. */
interface Place {
  readonly type: string
  readonly nodes: FieldNode[]
}

/**
 * Adds up the weights of the selected fields (docs/plugins/query-limits.md#how-it-counts). Fields with the same
 * response key count once, as in the response; selections on several types of a union add up.
 * @returns the complexity; if it exceeds the limit, any number above the limit, because counting stops there
 */
export function complexityOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  schema: GraphQLSchema,
  weights: Weights,
): number {
  const most = weights.max_query_complexity
  let total = 0

  function add(sets: readonly SelectionSetNode[], type: string): void {
    for (const place of collect(sets, type, fragments).values()) {
      if (total > most) return
      const [node] = place.nodes
      const definition = node === undefined ? undefined : fieldOf(schema, place.type, node.name.value)
      // Validation checked all fields. A missing root type is reported when the operation is requested.
      if (definition === undefined) continue
      total += weightOf(definition, weights)
      const inner = place.nodes.map((each) => each.selectionSet).filter((set) => set !== undefined)
      if (inner.length > 0) add(inner, getNamedType(definition.type).name)
    }
  }

  const root = schema.getRootType(operation.operation)
  if (root != null) add([operation.selectionSet], root.name)
  return total
}

function collect(
  sets: readonly SelectionSetNode[],
  type: string,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  const spread = new Set<string>()

  function read(set: SelectionSetNode, on: string): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        if (isMeta(selection)) continue
        const key = `${on}.${selection.alias?.value ?? selection.name.value}`
        const known = places.get(key)
        if (known === undefined) places.set(key, { type: on, nodes: [selection] })
        else known.nodes.push(selection)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        read(selection.selectionSet, selection.typeCondition?.name.value ?? on)
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) read(fragment.selectionSet, fragment.typeCondition.name.value)
      }
    }
  }

  for (const set of sets) read(set, type)
  return places
}

function fieldOf(schema: GraphQLSchema, type: string, field: string): Field | undefined {
  const owner = schema.getType(type)
  return isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[field] : undefined
}

function weightOf({ type, extensions }: Field, weights: Weights): number {
  if (isLeafType(getNamedType(type))) return weights.scalar_weight
  if (readsRows(extensions)) return weights.list_weight
  const inner = isNonNullType(type) ? type.ofType : type
  return isListType(inner) ? weights.list_weight : weights.object_weight
}

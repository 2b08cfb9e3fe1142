import { type FieldNode, isUnionType, type SelectionSetNode } from 'graphql'
import {
  argumentsOfField,
  type EdgeMember,
  type NamedType,
  type WrapperField,
  type WrapperSelection,
} from '../../../core/doors/front.ts'
import type { FieldSelection, ObjectSelection, ObjectType, Selection } from '../../../core/doors/plugin.ts'
import { aggregateFieldsOf } from '../aggregates/aggregate-fields.ts'
import { connectionName, edgeName, listName } from '../types/relay-types.ts'
import { buildAggregate } from './build-aggregate.ts'
import { buildArguments } from './build-values.ts'
import { collectFields, subselections } from './collect-fields.ts'
import { locate, type SelectionContext } from './selection-context.ts'

type Sets = readonly SelectionSetNode[]

/**
 * Converts the selection sets of a field to svc's selection.
 * @param type return type of the field, without wrappers
 * @param sets selection sets of the field, to merge
 * @returns `null` for a scalar or an enum
 */
export function buildSelection(context: SelectionContext, type: NamedType, sets: Sets): Selection {
  if (type.kind === 'object') return context.nested(() => buildObject(context, type, sets))
  if (type.kind === 'interface' || type.kind === 'union') return buildAbstract(context, type.members, sets)
  return null
}

/**
 * Converts the selection sets of a field of an interface or union type to one list of fields per object type.
 * @param members object types of the interface or union
 */
export function buildAbstract(context: SelectionContext, members: readonly ObjectType[], sets: Sets): Selection {
  const possible = new Map<string, ObjectSelection>()
  context.countLargest(members, (member) => {
    possible.set(
      member.name,
      context.nested(() => buildObject(context, member, sets)),
    )
  })
  return { kind: 'abstract', possible }
}

function buildObject(context: SelectionContext, type: ObjectType, sets: Sets): ObjectSelection {
  const fields = [...collectFields(context, sets, (name) => isA(context, type, name))]
  return { kind: 'object', type, fields: fields.map(([key, nodes]) => buildField(context, type, key, nodes)) }
}

/** Does a type condition match an object of this type? */
function isA(context: SelectionContext, type: ObjectType, name: string): boolean {
  if (name === type.name || (type.relay && name === 'Node')) return true
  const condition = context.view.model.types.get(name)
  if (condition === undefined) return isAdded(context, type, name)
  return (condition.kind === 'interface' || condition.kind === 'union') && condition.members.includes(type)
}

/** Is the type a member of a union that a plugin defines? */
function isAdded({ view: { schema } }: SelectionContext, { name: typeName }: ObjectType, name: string): boolean {
  const condition = schema.getType(name)
  return isUnionType(condition) && condition.getTypes().some((member) => member.name === typeName)
}

function buildField(
  context: SelectionContext,
  type: ObjectType,
  responseKey: string,
  nodes: readonly FieldNode[],
): FieldSelection {
  const node = nodes[0]!
  const name = node.name.value
  if (name === '__typename') return { kind: 'typename', responseKey }
  const field = type.fields.get(name)
  if (field === undefined) {
    const counted = aggregateFieldsOf(type).get(name)
    if (counted === undefined) throw new Error(`${type.name}.${name} passed validation but is not in the schema`)
    const aggregate = buildAggregate(context, counted, nodes)
    return { kind: 'aggregate', responseKey, field: counted.of, ...aggregate, location: locate(node) }
  }
  return {
    kind: 'field',
    responseKey,
    field,
    arguments: buildArguments(context, node.arguments, argumentsOfField(field, context.view.inputs)),
    selection: buildSelection(context, field.named, subselections(nodes)),
    location: locate(node),
  }
}

/**
 * Converts the selection sets of a field that returns a `{Type}Connection` or `{Type}List` object.
 * @param type type of the rows
 */
export function buildWrapper(
  context: SelectionContext,
  kind: 'connection' | 'list',
  type: NamedType,
  sets: Sets,
): WrapperSelection {
  const typeName = kind === 'connection' ? connectionName(type.name) : listName(type.name)
  const collected = [...collectFields(context, sets, (name) => name === typeName)]
  return {
    kind,
    typeName,
    fields: collected.map(([key, nodes]) => buildWrapperField(context, type, key, nodes)),
  }
}

function buildWrapperField(
  context: SelectionContext,
  type: NamedType,
  responseKey: string,
  nodes: readonly FieldNode[],
): WrapperField {
  const field = nodes[0]!.name.value
  const sets = subselections(nodes)
  if (field === 'items') return { field, responseKey, selection: buildSelection(context, type, sets) }
  if (field === 'edges') return { field, responseKey, members: buildEdge(context, type, sets) }
  if (field === 'pageInfo') {
    const collected = [...collectFields(context, sets, (name) => name === 'PageInfo')]
    return {
      field,
      responseKey,
      members: collected.map(([key, [node]]) => ({ name: node!.name.value, responseKey: key })),
    }
  }
  return { field: field === '__typename' ? field : 'totalCount', responseKey }
}

function buildEdge(context: SelectionContext, type: NamedType, sets: Sets): readonly EdgeMember[] {
  const typeName = edgeName(type.name)
  return [...collectFields(context, sets, (name) => name === typeName)].map(([responseKey, nodes]): EdgeMember => {
    const name = nodes[0]!.name.value
    if (name !== 'node') return { name: name === '__typename' ? name : 'cursor', responseKey }
    return { name, responseKey, selection: buildSelection(context, type, subselections(nodes)) }
  })
}

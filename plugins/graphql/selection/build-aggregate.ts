import type { FieldNode, SelectionSetNode } from 'graphql'
import {
  type AggregateOf,
  type ArgumentNode,
  aggregatesOf,
  type FieldFunction,
  groupedBy,
} from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import { argumentsOfAggregate } from '../aggregates/aggregate-arguments.ts'
import type { AggregateField, CountedType } from '../aggregates/aggregate-fields.ts'
import { capitalised } from '../aggregates/aggregate-inputs.ts'
import { buildArguments } from './build-values.ts'
import { collectFields, subselections } from './collect-fields.ts'
import type { SelectionContext } from './selection-context.ts'

/**
 * Converts a selected aggregate field of a document to svc's selection: arguments, functions and group keys.
 * @param nodes the field in the document; several nodes if it is selected more than once
 */
export function buildAggregate(
  context: SelectionContext,
  field: AggregateField<QueryModel | FieldModel>,
  nodes: readonly FieldNode[],
): AggregateOf {
  const { inputs, aggregateInputs } = context.view
  const { type, groups } = field
  const args = buildArguments(context, nodes[0]!.arguments, argumentsOfAggregate(field, inputs, aggregateInputs))
  const typeName = `${type.name}${groups ? 'Group' : 'Aggregate'}`
  const fields = context.nested(() =>
    membersOf(context, typeName, subselections(nodes), (name, responseKey, inner) => {
      if (name === 'count') return { kind: 'measure', responseKey, function: 'count', field: null }
      return { kind: 'object', responseKey, fields: partsOf(context, type, name, inner) }
    }),
  )
  return { arguments: args, groupBy: groups ? groupByOf(type, args) : null, fields, having: [], orderBy: [] }
}

/** Returns the group keys that the document names. The value of a variable is read when a request is planned. */
function groupByOf(type: CountedType, args: readonly ArgumentNode[]): AggregateOf['groupBy'] {
  const value = args.find(({ name }) => name === 'groupBy')?.value ?? { kind: 'constant', value: [] }
  if (value.kind !== 'constant' || !Array.isArray(value.value) || value.value.length === 0) return value
  const { keys } = aggregatesOf(type)
  return value.value.map((name: string) => {
    const key = keys.get(name)
    if (key === undefined) throw new Error(`${name} passed validation but is no key of ${type.name}`)
    return groupedBy(key)
  })
}

/** Builds the members of `keys { genre }` or `sum { price }`. */
function partsOf(
  context: SelectionContext,
  type: CountedType,
  name: string,
  sets: readonly SelectionSetNode[],
): AggregateOf['fields'] {
  const { keys, measures } = aggregatesOf(type)
  const typeName = name === 'keys' ? `${type.name}GroupKeys` : `${type.name}Aggregate${capitalised(name)}`
  return membersOf(context, typeName, sets, (wireName, responseKey) => {
    const key = name === 'keys' ? keys.get(wireName) : undefined
    if (key !== undefined) return { kind: 'key', responseKey, field: key.field, period: key.period }
    const measured = measures.get(name as FieldFunction)?.get(wireName)
    if (measured === undefined) throw new Error(`${typeName}.${wireName} passed validation but is not in the schema`)
    return { kind: 'measure', responseKey, function: name as FieldFunction, field: measured.field }
  })
}

function membersOf(
  context: SelectionContext,
  typeName: string,
  sets: readonly SelectionSetNode[],
  build: (name: string, responseKey: string, sets: readonly SelectionSetNode[]) => AggregateOf['fields'][number],
): AggregateOf['fields'] {
  return [...collectFields(context, sets, (name) => name === typeName)].map(([responseKey, nodes]) => {
    const name = nodes[0]!.name.value
    return name === '__typename'
      ? { kind: 'typename', responseKey, typeName }
      : build(name, responseKey, subselections(nodes))
  })
}

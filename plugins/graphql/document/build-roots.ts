import type { FieldNode } from 'graphql'
import { argumentsOfOperation, NODE_ARGUMENTS } from '../../../core/doors/front.ts'
import type { OperationModel, RootSelection, SchemaModel } from '../../../core/doors/plugin.ts'
import { buildAggregate } from '../selection/build-aggregate.ts'
import { buildCall } from '../selection/build-call.ts'
import { buildAbstract, buildSelection, buildWrapper } from '../selection/build-selection.ts'
import { buildArguments } from '../selection/build-values.ts'
import { collectFields, subselections } from '../selection/collect-fields.ts'
import { locate, type SelectionContext } from '../selection/selection-context.ts'
import { wrapperOf } from '../types/root-types.ts'

export interface BuiltRoots {
  readonly roots: readonly RootSelection[]
  /**
   * The fields `__schema` and `__type` by response key. In `roots` they have the value null, which the caller replaces.
   */
  readonly introspection: ReadonlyMap<string, readonly FieldNode[]>
}

/** Converts the root fields of a GraphQL operation to svc's selections, in response order. */
export function buildRoots(context: SelectionContext): BuiltRoots {
  const { operation, view } = context
  const typeName = ROOT_NAMES[operation.operation]
  const introspection = new Map<string, readonly FieldNode[]>()
  const roots = [...collectFields(context, [operation.selectionSet], (name) => name === typeName)].map(
    ([responseKey, nodes]): RootSelection => {
      const name = nodes[0]!.name.value
      if (name === '__typename') return { kind: 'typename', responseKey, typeName }
      if (name === '__schema' || name === '__type') {
        introspection.set(responseKey, nodes)
        return { kind: 'literal', responseKey, json: 'null' }
      }
      const model = operationsOf(view.model, operation.operation).get(name)
      if (model !== undefined) return buildOperation(context, responseKey, nodes, model)
      if (name === 'node') return buildNode(context, responseKey, nodes)
      const counted = operation.operation === 'query' ? view.aggregateRoots.get(name) : undefined
      if (counted !== undefined) {
        const aggregate = buildAggregate(context, counted, nodes)
        return { kind: 'aggregate', responseKey, operation: counted.of, ...aggregate, location: locate(nodes[0]!) }
      }
      const added = operation.operation === 'subscription' ? undefined : view.extensions[operation.operation].get(name)
      if (added !== undefined) return buildCall(context, responseKey, nodes, added)
      throw new Error(`${typeName}.${name} passed validation but is not in the schema`)
    },
  )
  return { roots, introspection }
}

const ROOT_NAMES = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

function operationsOf(model: SchemaModel, kind: keyof typeof ROOT_NAMES): ReadonlyMap<string, OperationModel> {
  return kind === 'query' ? model.queries : kind === 'mutation' ? model.mutations : model.subscriptions
}

function buildOperation(
  context: SelectionContext,
  responseKey: string,
  nodes: readonly FieldNode[],
  operation: OperationModel,
): RootSelection {
  const sets = subselections(nodes)
  const wrapper = wrapperOf(operation)
  return {
    kind: 'operation',
    responseKey,
    operation,
    arguments: buildArguments(context, nodes[0]!.arguments, argumentsOfOperation(operation, context.view.inputs)),
    selection:
      wrapper === null
        ? buildSelection(context, operation.named, sets)
        : buildWrapper(context, wrapper, operation.named, sets),
    location: locate(nodes[0]!),
  }
}

function buildNode(context: SelectionContext, responseKey: string, nodes: readonly FieldNode[]): RootSelection {
  return {
    kind: 'node',
    responseKey,
    arguments: buildArguments(context, nodes[0]!.arguments, NODE_ARGUMENTS),
    selection: buildAbstract(context, context.view.model.relayTypes, subselections(nodes)),
    location: locate(nodes[0]!),
  }
}

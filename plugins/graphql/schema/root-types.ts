import { type GraphQLFieldConfig, GraphQLNonNull, type GraphQLObjectType, type GraphQLOutputType } from 'graphql'
import {
  argumentsOfOperation,
  type GeneratedInputs,
  isListRef,
  type NamedType,
  NODE_ARGUMENTS,
  type TypeRef,
} from '../../../core/doors/front.ts'
import type { OperationModel, QueryModel, SchemaModel } from '../../../core/doors/plugin.ts'
import { type AggregateField, aggregateRoots } from '../aggregates/aggregate-fields.ts'
import type { AggregateTypes } from '../aggregates/aggregate-types.ts'
import type { ExtensionTypes } from '../extend/extension-types.ts'
import type { InputTypes } from './input-types.ts'
import { LazyObjectType } from './lazy-object-type.ts'
import type { OutputTypes } from './output-types.ts'
import { createConnection, createList, NODE_INTERFACE } from './relay-types.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

export interface RootTypes {
  readonly query: GraphQLObjectType | undefined
  readonly mutation: GraphQLObjectType | undefined
  readonly subscription: GraphQLObjectType | undefined
  /** `{Type}Connection`, by name of the wrapped type. */
  connection(type: NamedType): GraphQLObjectType
  /** `{Type}List`, by name of the wrapped type. */
  list(type: NamedType): GraphQLObjectType
}

/** How the rows of an operation are wrapped. */
export function wrapperOf(operation: OperationModel): 'connection' | 'list' | null {
  if (operation.kind !== 'query') return null
  if (operation.relay) return 'connection'
  return operation.autoParams.total_count && isListRef(operation.type) ? 'list' : null
}

export function createRootTypes(
  model: SchemaModel,
  inputs: GeneratedInputs,
  inputTypes: InputTypes,
  output: OutputTypes,
  subscriptions: boolean,
  extension: ExtensionTypes,
  numbers: AggregateTypes,
): RootTypes {
  const connections = new Map<NamedType, GraphQLObjectType>()
  const lists = new Map<NamedType, GraphQLObjectType>()

  function memoised(known: Map<NamedType, GraphQLObjectType>, create: typeof createList) {
    return (type: NamedType): GraphQLObjectType => {
      let result = known.get(type)
      if (result === undefined) {
        result = create(type.name, () => output.of(type))
        known.set(type, result)
      }
      return result
    }
  }
  const connection = memoised(connections, createConnection)
  const list = memoised(lists, createList)

  function typeOf(operation: OperationModel): GraphQLOutputType {
    const wrapper = wrapperOf(operation)
    if (wrapper === null) return output.wrap(operation.type, operation.named)
    return orNull(operation.type, wrapper === 'connection' ? connection(operation.named) : list(operation.named))
  }

  function toConfig(operation: OperationModel): FieldConfig {
    return {
      type: typeOf(operation),
      args: inputTypes.arguments(argumentsOfOperation(operation, inputs)),
      description: operation.description,
      deprecationReason: operation.deprecated,
    }
  }

  /** @param added by plugins @param node adds the relay root @param counted fields with numbers about rows */
  function root(
    name: string,
    operations: ReadonlyMap<string, OperationModel>,
    added: ExtensionTypes['parsed']['query'],
    node = false,
    counted: Iterable<AggregateField<QueryModel>> = [],
  ): GraphQLObjectType | undefined {
    const fields = new Map<string, () => FieldConfig>()
    for (const [wireName, operation] of operations) fields.set(wireName, () => toConfig(operation))
    for (const field of counted) fields.set(field.name, () => numbers.field(field))
    if (node) fields.set('node', nodeConfig)
    for (const [wireName, one] of added) fields.set(wireName, () => extension.root(one))
    return fields.size === 0 ? undefined : new LazyObjectType(name, fields)
  }

  const nodeConfig = (): FieldConfig => ({
    type: NODE_INTERFACE,
    args: inputTypes.arguments(NODE_ARGUMENTS),
    description: 'Any object by its global id.',
  })
  return {
    query: root(
      'Query',
      model.queries,
      extension.parsed.query,
      model.relayTypes.length > 0,
      aggregateRoots(model).values(),
    ),
    mutation: root('Mutation', model.mutations, extension.parsed.mutation),
    subscription: subscriptions ? root('Subscription', model.subscriptions, new Map()) : undefined,
    connection,
    list,
  }
}

function orNull(ref: TypeRef, type: GraphQLObjectType): GraphQLOutputType {
  return ref.nullable ? type : new GraphQLNonNull(type)
}

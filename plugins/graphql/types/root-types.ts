import {
  type GraphQLFieldConfig,
  type GraphQLFieldMap,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import {
  argumentsOfOperation,
  type GeneratedInputs,
  type NamedType,
  NODE_ARGUMENTS,
  type TypeRef,
  typeRefs,
} from '../../../core/doors/front.ts'
import type { OperationModel, SchemaModel } from '../../../core/doors/plugin.ts'
import type { InputTypes } from './input-types.ts'
import type { OutputTypes } from './output-types.ts'
import { createConnection, createList, NODE_INTERFACE } from './relay-types.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

/**
 * Root fields by name. Each function makes the field's configuration, because its types are made at their first use.
 */
export type RootFields = ReadonlyMap<string, () => FieldConfig>

/** Root fields that do not come from operations in `schema.json`. */
export interface AddedRoots {
  /** Aggregate fields that svc generates beside list queries. */
  readonly aggregates: RootFields
  /** Fields that plugins add to the type `Query`. */
  readonly queries: RootFields
  /** Fields that plugins add to the type `Mutation`. */
  readonly mutations: RootFields
}

export interface RootTypes {
  readonly query: GraphQLObjectType | undefined
  readonly mutation: GraphQLObjectType | undefined
  readonly subscription: GraphQLObjectType | undefined
  /** Returns the type `{Type}Connection` of an object type or interface. */
  connection(type: NamedType): GraphQLObjectType
  /** Returns the type `{Type}List` of an object type or interface. */
  list(type: NamedType): GraphQLObjectType
}

/**
 * Returns the kind of object that wraps the rows of a query: a Relay connection, or a list with a total count. `null`:
 * no wrapper.
 */
export function wrapperOf(operation: OperationModel): 'connection' | 'list' | null {
  if (operation.kind !== 'query') return null
  if (operation.relay) return 'connection'
  return operation.autoParams.total_count && typeRefs.isList(operation.type) ? 'list' : null
}

export function createRootTypes(
  model: SchemaModel,
  inputs: GeneratedInputs,
  inputTypes: InputTypes,
  output: OutputTypes,
  subscriptions: boolean,
  added: AddedRoots,
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

  /** @param ofPlugins root fields of plugins @param node adds the relay root @param aggregates aggregates of list queries */
  function root(
    name: string,
    operations: ReadonlyMap<string, OperationModel>,
    ofPlugins: RootFields,
    node = false,
    aggregates: RootFields = new Map(),
  ): GraphQLObjectType | undefined {
    const fields = new Map<string, () => FieldConfig>()
    for (const [wireName, operation] of operations) fields.set(wireName, () => toConfig(operation))
    for (const [wireName, make] of aggregates) fields.set(wireName, make)
    if (node) fields.set('node', nodeConfig)
    for (const [wireName, make] of ofPlugins) fields.set(wireName, make)
    return fields.size === 0 ? undefined : new LazyObjectType(name, fields)
  }

  const nodeConfig = (): FieldConfig => ({
    type: NODE_INTERFACE,
    args: inputTypes.arguments(NODE_ARGUMENTS),
    description: 'Any object by its global id.',
  })
  return {
    query: root('Query', model.queries, added.queries, model.relayTypes.length > 0, added.aggregates),
    mutation: root('Mutation', model.mutations, added.mutations),
    subscription: subscriptions ? root('Subscription', model.subscriptions, new Map()) : undefined,
    connection,
    list,
  }
}

function orNull(ref: TypeRef, type: GraphQLObjectType): GraphQLOutputType {
  return ref.nullable ? type : new GraphQLNonNull(type)
}

/**
 * An object type that makes each field at its first use. For root types, which have a field for every operation of the schema, while a
 * document uses a few of them.
 */
class LazyObjectType extends GraphQLObjectType {
  readonly #lazyFields: GraphQLFieldMap<unknown, unknown>

  constructor(name: string, fields: ReadonlyMap<string, () => FieldConfig>) {
    super({ name, fields: {} })
    const map: GraphQLFieldMap<unknown, unknown> = Object.create(null)
    for (const [fieldName, config] of fields) {
      Object.defineProperty(map, fieldName, {
        enumerable: true,
        configurable: true,
        get() {
          // GraphQL converts the configuration of a field only as part of a type.
          const value = new GraphQLObjectType({ name, fields: { [fieldName]: config() } }).getFields()[fieldName]
          Object.defineProperty(map, fieldName, { enumerable: true, value })
          return value
        },
      })
    }
    this.#lazyFields = map
  }

  override getFields(): GraphQLFieldMap<unknown, unknown> {
    return this.#lazyFields
  }
}

import {
  type GraphQLAbstractType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
  isUnionType,
  type OperationTypeNode,
} from 'graphql'
import {
  type InterfaceType,
  lazily,
  type NamedType,
  type ObjectType,
  type SchemaModel,
  shapeOf,
} from '../../../core/index.ts'
import { createGeneratedInputs, type GeneratedInputs, isRowType } from '../inputs/generated-inputs.ts'
import { createInputTypes, type InputTypes } from './input-types.ts'
import { createOutputTypes, type OutputTypes } from './output-types.ts'
import { NODE_INTERFACE } from './relay-types.ts'
import { createRootTypes, type RootTypes } from './root-types.ts'

interface Parts {
  readonly model: SchemaModel
  readonly inputs: GeneratedInputs
  readonly inputTypes: InputTypes
  readonly output: OutputTypes
  readonly roots: RootTypes
}

/** The GraphQL side of one generation. */
export interface SchemaView {
  readonly model: SchemaModel
  readonly inputs: GeneratedInputs
  readonly inputTypes: InputTypes
  /** For validation. Makes only the types that documents speak of, so that 5,000 types cost nothing at boot. */
  readonly schema: GraphQLSchema
  /** Every type, for introspection and printing. Made when first asked for. */
  readonly full: () => GraphQLSchema
}

/** @param subscriptions is there a plugin that serves them? Otherwise they are not advertised. */
export function createSchemaView(model: SchemaModel, subscriptions: boolean): SchemaView {
  const inputs = createGeneratedInputs()
  const inputTypes = createInputTypes(model)
  const output = createOutputTypes(inputs, inputTypes)
  const roots = createRootTypes(model, inputs, inputTypes, output, subscriptions)
  const parts: Parts = { model, inputs, inputTypes, output, roots }
  const full = lazily(() => createFullSchema(parts))
  return { model, inputs, inputTypes, schema: new OnDemandSchema(parts, full), full }
}

/** The compiler has checked the schema: `assumeValid` saves walking through it again. */
function createFullSchema({ model, inputTypes, output, roots }: Parts): GraphQLSchema {
  const declared = [...model.types.values()]
    .filter((type) => type.kind !== 'scalar' || type.custom)
    .map((type) => (type.kind === 'input' ? inputTypes.of(shapeOf(type)) : output.of(type)))
  return new GraphQLSchema({
    query: roots.query ?? null,
    mutation: roots.mutation ?? null,
    subscription: roots.subscription ?? null,
    types: declared as GraphQLNamedType[],
    assumeValid: true,
  })
}

/** Answers what validation asks from the model; falls back on the full schema for names it has not met. */
class OnDemandSchema extends GraphQLSchema {
  readonly #parts: Parts
  readonly #full: () => GraphQLSchema
  readonly #found = new Map<string, GraphQLNamedType | undefined>()

  constructor(parts: Parts, full: () => GraphQLSchema) {
    super({ assumeValid: true })
    this.#parts = parts
    this.#full = full
  }

  override getQueryType(): GraphQLObjectType | undefined {
    return this.#parts.roots.query
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#parts.roots.mutation
  }

  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.#parts.roots.subscription
  }

  override getRootType(operation: OperationTypeNode): GraphQLObjectType | undefined {
    const { query, mutation, subscription } = this.#parts.roots
    return operation === 'query' ? query : operation === 'mutation' ? mutation : subscription
  }

  override getTypeMap(): ReturnType<GraphQLSchema['getTypeMap']> {
    return this.#full().getTypeMap()
  }

  override getType(name: string): GraphQLNamedType | undefined {
    if (this.#found.has(name)) return this.#found.get(name)
    const type = this.#resolve(name) ?? this.#full().getType(name)
    // Names that do not exist are not kept: clients could fill the memory with them.
    if (type !== undefined) this.#found.set(name, type)
    return type
  }

  #resolve(name: string): GraphQLNamedType | undefined {
    const { model, roots, output, inputTypes, inputs } = this.#parts
    for (const root of [roots.query, roots.mutation, roots.subscription]) if (root?.name === name) return root
    const declared = model.types.get(name)
    if (declared?.kind === 'object' || declared?.kind === 'interface' || declared?.kind === 'union') {
      return output.of(declared) as GraphQLNamedType
    }
    if (declared !== undefined) return inputTypes.of(shapeOf(declared))
    const where = rowType(model, name, 'WhereInput')
    if (where !== null) return inputTypes.of(inputs.where(where))
    const order = rowType(model, name, 'OrderByInput')
    const shape = order === null ? null : inputs.orderBy(order)
    return shape === null ? undefined : inputTypes.of(shape)
  }

  override getPossibleTypes(type: GraphQLAbstractType): readonly GraphQLObjectType[] {
    return isUnionType(type) ? type.getTypes() : this.getImplementations(type).objects
  }

  override getImplementations(type: GraphQLInterfaceType): {
    objects: readonly GraphQLObjectType[]
    interfaces: readonly GraphQLInterfaceType[]
  } {
    const { model, output } = this.#parts
    const members: readonly ObjectType[] =
      type === NODE_INTERFACE ? model.relayTypes : (model.types.get(type.name) as InterfaceType).members
    return { objects: members.map(output.object), interfaces: [] }
  }

  override isSubType(abstract: GraphQLAbstractType, maybe: GraphQLObjectType | GraphQLInterfaceType): boolean {
    const { types } = this.#parts.model
    const type = types.get(maybe.name)
    if (type?.kind !== 'object') return false
    if (abstract === NODE_INTERFACE) return type.relay
    const parent = types.get(abstract.name)
    return parent?.kind === 'interface' || parent?.kind === 'union' ? parent.members.includes(type) : false
  }
}

function rowType(
  model: SchemaModel,
  name: string,
  suffix: string,
): Extract<NamedType, { kind: 'object' | 'interface' }> | null {
  const type = name.endsWith(suffix) ? model.types.get(name.slice(0, -suffix.length)) : undefined
  return type !== undefined && isRowType(type) ? type : null
}

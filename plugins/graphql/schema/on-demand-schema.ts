import {
  type GraphQLAbstractType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  isUnionType,
  type OperationTypeNode,
  specifiedDirectives,
} from 'graphql'
import {
  AGGREGATE_SUFFIXES,
  filterOperators,
  type GeneratedInputs,
  type InterfaceType,
  isRowType,
  lazily,
  type NamedType,
  ORDER_DIRECTION,
  type RowType,
  shapeOf,
} from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType, SchemaModel } from '../../../core/doors/plugin.ts'
import { countedType } from '../aggregates/aggregate-fields.ts'
import type { AggregateInputs } from '../aggregates/aggregate-inputs.ts'
import type { AggregateTypes } from '../aggregates/aggregate-types.ts'
import type { ExtensionTypes } from '../extend/extension-types.ts'
import { graphqlTypes } from '../types/graphql-types.ts'
import type { InputTypes } from '../types/input-types.ts'
import type { OutputTypes } from '../types/output-types.ts'
import { NODE_INTERFACE, PAGE_INFO } from '../types/relay-types.ts'
import type { RootTypes } from '../types/root-types.ts'

const CONDITION_SUFFIX = 'HavingInput'

/** The makers of GraphQL types that a schema is built from, by kind of type. */
export interface SchemaParts {
  readonly model: SchemaModel
  readonly inputs: GeneratedInputs
  readonly inputTypes: InputTypes
  readonly output: OutputTypes
  readonly roots: RootTypes
  readonly numbers: AggregateTypes
  readonly aggregateInputs: AggregateInputs
  /** Types that plugins add. */
  readonly extension: ExtensionTypes
}

/** Creates a function that finds a GraphQL type by its name, whether declared or generated. It makes no other types. */
export function createTypeFinder(parts: SchemaParts): (name: string) => GraphQLNamedType | undefined {
  const { model, inputs, inputTypes, output, roots } = parts
  const types = graphqlTypes(model)
  const filters = lazily(() => indexFilters(model))

  const suffixes: readonly [string, (type: NamedType) => GraphQLNamedType | undefined][] = [
    ['WhereInput', ofRows((type) => inputTypes.of(inputs.where(type)))],
    [
      'OrderByInput',
      ofRows((type) => {
        const shape = inputs.orderBy(type)
        return shape === null ? undefined : inputTypes.of(shape)
      }),
    ],
    ['ListFilter', ofRows((type) => inputTypes.of(inputs.listFilter(type)))],
    ['Connection', roots.connection],
    ['Edge', (type) => getNamedType(roots.connection(type).getFields().edges!.type)],
    ['List', roots.list],
  ]

  return (name) => {
    const declared = types.get(name)
    if (declared !== undefined) return fromModel(declared)
    for (const root of [roots.query, roots.mutation, roots.subscription]) if (root?.name === name) return root
    if (name === 'Node') return model.relayTypes.length === 0 ? undefined : NODE_INTERFACE
    if (name === 'PageInfo') return PAGE_INFO
    if (name === ORDER_DIRECTION.name) return inputTypes.of(ORDER_DIRECTION)
    for (const [suffix, make] of suffixes) {
      const type = name.endsWith(suffix) ? types.get(name.slice(0, -suffix.length)) : undefined
      const found = type === undefined ? undefined : make(type)
      if (found !== undefined) return found
    }
    const counted = parts.numbers.find(name) ?? groupInput(name)
    if (counted !== undefined) return counted
    const filtered = filters().get(name)
    if (filtered === undefined && filterOperators.OPERAND_INPUTS.has(name))
      return inputTypes.of(filterOperators.OPERAND_INPUTS.get(name)!)
    return filtered === undefined ? undefined : inputTypes.of(inputs.filter(filtered))
  }

  /** Finds input types of groups, such as `{Type}GroupBy`, `{Type}HavingInput` and `{Scalar}HavingInput`. */
  function groupInput(name: string): GraphQLNamedType | undefined {
    for (const suffix of AGGREGATE_SUFFIXES) {
      const type = name.endsWith(suffix) ? types.get(name.slice(0, -suffix.length)) : undefined
      const counted = countedType(type)
      const shape = counted === null ? undefined : parts.aggregateInputs.of(counted).all.get(name)
      if (shape !== undefined) return inputTypes.of(shape)
      if (type?.kind === 'scalar' && suffix === CONDITION_SUFFIX) {
        return inputTypes.of(parts.aggregateInputs.condition(type.name))
      }
    }
    return undefined
  }

  function fromModel(type: NamedType): GraphQLNamedType {
    const isInput = type.kind === 'scalar' || type.kind === 'enum' || type.kind === 'input'
    return isInput ? inputTypes.of(shapeOf(type)) : (output.of(type) as GraphQLNamedType)
  }
}

function ofRows(make: (type: RowType) => GraphQLNamedType | undefined) {
  return (type: NamedType): GraphQLNamedType | undefined => (isRowType(type) ? make(type) : undefined)
}

/** Returns a field for each filter type by name. Fields with the same filter type have the same operators. */
function indexFilters(model: SchemaModel): ReadonlyMap<string, FieldModel> {
  const index = new Map<string, FieldModel>()
  for (const type of graphqlTypes(model).values()) {
    if (!isRowType(type)) continue
    for (const field of type.fields.values()) {
      if (filterOperators.ofField(field).length === 0) continue
      const name = filterOperators.filterTypeName(field)
      if (!index.has(name)) index.set(name, field)
    }
  }
  return index
}

/**
 * A GraphQL schema that makes a type when its name is looked up, so that types that no document uses are never made.
 */
export class OnDemandSchema extends GraphQLSchema {
  readonly #parts: SchemaParts
  readonly #full: () => GraphQLSchema
  readonly #find: (name: string) => GraphQLNamedType | undefined

  /** @param full returns the schema with all types */
  constructor(parts: SchemaParts, full: () => GraphQLSchema) {
    const { directives } = parts.extension
    super({
      assumeValid: true,
      ...(directives.length === 0 ? {} : { directives: [...specifiedDirectives, ...directives] }),
    })
    this.#parts = parts
    this.#full = full
    this.#find = createTypeFinder(parts)
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

  /** Finds a type. The base class has the types of introspection. */
  override getType(name: string): GraphQLNamedType | undefined {
    return this.#find(name) ?? this.#parts.extension.get(name) ?? super.getTypeMap()[name]
  }

  /** Lists the names of types for suggestions, without making the types. */
  listNames(): readonly string[] {
    const names: string[] = []
    for (const type of graphqlTypes(this.#parts.model).values()) {
      names.push(type.name)
      if (isRowType(type)) names.push(`${type.name}WhereInput`, `${type.name}OrderByInput`)
    }
    return [...names, ...this.#parts.extension.parsed.types.keys()]
  }

  override getPossibleTypes(type: GraphQLAbstractType): readonly GraphQLObjectType[] {
    return isUnionType(type) ? type.getTypes() : this.getImplementations(type).objects
  }

  override getImplementations(type: GraphQLInterfaceType): {
    objects: readonly GraphQLObjectType[]
    interfaces: readonly GraphQLInterfaceType[]
  } {
    const { model, output, extension } = this.#parts
    if (extension.parsed.types.has(type.name)) {
      const objects = extension.all().filter((each) => each instanceof GraphQLObjectType)
      return { objects: objects.filter((each) => each.getInterfaces().includes(type)), interfaces: [] }
    }
    const members: readonly ObjectType[] =
      type === NODE_INTERFACE ? model.relayTypes : (model.types.get(type.name) as InterfaceType).members
    return { objects: members.map(output.object), interfaces: [] }
  }

  override isSubType(abstract: GraphQLAbstractType, maybe: GraphQLObjectType | GraphQLInterfaceType): boolean {
    const { extension, model } = this.#parts
    const { types } = model
    if (extension.parsed.types.has(abstract.name)) {
      return this.getPossibleTypes(abstract).some((each) => each.name === maybe.name)
    }
    const type = types.get(maybe.name)
    if (type?.kind !== 'object') return false
    if (abstract === NODE_INTERFACE) return type.relay
    const parent = types.get(abstract.name)
    return parent?.kind === 'interface' || parent?.kind === 'union' ? parent.members.includes(type) : false
  }
}

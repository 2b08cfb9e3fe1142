import {
  type GraphQLAbstractType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  isUnionType,
  type OperationTypeNode,
  specifiedDirectives,
} from 'graphql'
import { type InterfaceType, isRowType } from '../../../core/doors/front.ts'
import type { ObjectType } from '../../../core/doors/plugin.ts'
import { graphqlTypes } from '../types/graphql-types.ts'
import { NODE_INTERFACE } from '../types/relay-types.ts'
import { createTypeFinder, type SchemaParts } from './find-type.ts'

/** A schema for validation that looks types up by name, so that types which no document uses are never made. */
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

import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type GraphQLArgumentConfig,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLType,
  GraphQLUnionType,
  type InputValueDefinitionNode,
  isInputType,
  isOutputType,
  Kind,
  type NamedTypeNode,
  type TypeDefinitionNode,
  type TypeNode,
  valueFromAST,
} from 'graphql'
import { lazily } from '../../../core/doors/front.ts'
import { didYouMean } from '../../../core/doors/plugin.ts'
import { type Owned, type ParsedExtensions, refuse } from './parse-extension.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>
/** Finds a GraphQL type of the schema by its name, whether the author declared it or svc generated it. */
export type FindType = (name: string) => GraphQLNamedType | undefined

/** GraphQL types that plugins add to the schema. Each type is made at its first use. */
export interface ExtensionTypes {
  readonly parsed: ParsedExtensions
  get(name: string): GraphQLNamedType | undefined
  all(): readonly GraphQLNamedType[]
  readonly directives: readonly GraphQLDirective[]
  /** Returns the GraphQL field configuration of a plugin's root field. */
  root(root: Owned<FieldDefinitionNode>): FieldConfig
  /**
   * Makes all types, so that svc reports unknown type names at start.
   * @throws SvcError SVC_PLUGIN_INVALID with the name of the plugin
   */
  check(): void
}

/**
 * Creates the GraphQL types of plugins from their SDL.
 * @param find finds types of the schema, to which plugins may refer
 * @param names returns the names of these types, for suggestions in errors
 */
export function createExtensionTypes(
  parsed: ParsedExtensions,
  find: FindType,
  names: () => readonly string[],
): ExtensionTypes {
  const made = new Map<string, GraphQLNamedType>()

  function get(name: string): GraphQLNamedType | undefined {
    const known = made.get(name)
    const owned = parsed.types.get(name)
    if (known !== undefined || owned === undefined) return known
    const type = create(owned)
    made.set(name, type)
    return type
  }

  function named(plugin: string, node: NamedTypeNode): GraphQLNamedType {
    const name = node.name.value
    const type = get(name) ?? find(name)
    if (type !== undefined) return type
    throw refuse(
      plugin,
      `names the type "${name}", which does not exist.${didYouMean(name, [...parsed.types.keys(), ...names()])}`.replace(
        /\.$/,
        '',
      ),
    )
  }

  function wrapped(plugin: string, node: TypeNode): GraphQLType {
    if (node.kind === Kind.NON_NULL_TYPE) return new GraphQLNonNull(wrapped(plugin, node.type) as never)
    if (node.kind === Kind.LIST_TYPE) return new GraphQLList(wrapped(plugin, node.type))
    return named(plugin, node)
  }

  function output(plugin: string, node: TypeNode): FieldConfig['type'] {
    const type = wrapped(plugin, node)
    if (isOutputType(type)) return type
    throw refuse(plugin, `has the input ${String(type)} where a result stands`)
  }

  function input(plugin: string, node: InputValueDefinitionNode): GraphQLArgumentConfig & GraphQLInputFieldConfig {
    const type = wrapped(plugin, node.type)
    if (!isInputType(type)) throw refuse(plugin, `has the result type ${String(type)} where an input stands`)
    return {
      type,
      description: node.description?.value,
      deprecationReason: deprecationOf(node),
      ...(node.defaultValue === undefined ? {} : { defaultValue: valueFromAST(node.defaultValue, type) }),
    }
  }

  function inputs(plugin: string, nodes: readonly InputValueDefinitionNode[] = []) {
    return Object.fromEntries(nodes.map((node) => [node.name.value, input(plugin, node)]))
  }

  function field(plugin: string, node: FieldDefinitionNode): FieldConfig {
    return {
      type: output(plugin, node.type),
      description: node.description?.value,
      deprecationReason: deprecationOf(node),
    }
  }

  function fields(plugin: string, owner: string, nodes: readonly FieldDefinitionNode[] = []) {
    return Object.fromEntries(
      nodes.map((node) => {
        const name = node.name.value
        if ((node.arguments ?? []).length === 0) return [name, field(plugin, node)]
        throw refuse(plugin, `gives ${owner}.${name} arguments; only root fields can have any`)
      }),
    )
  }

  function interfaces(plugin: string, nodes: readonly NamedTypeNode[] = []): readonly GraphQLInterfaceType[] {
    return nodes.map((node) => {
      const type = get(node.name.value)
      if (type instanceof GraphQLInterfaceType) return type
      throw refuse(plugin, `implements "${node.name.value}", which is no interface that a plugin adds`)
    })
  }

  function create({ plugin, node }: Owned<TypeDefinitionNode>): GraphQLNamedType {
    const name = node.name.value
    const description = node.description?.value
    switch (node.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
        return new GraphQLObjectType({
          name,
          description,
          interfaces: () => interfaces(plugin, node.interfaces),
          fields: () => fields(plugin, name, node.fields),
        })
      case Kind.INTERFACE_TYPE_DEFINITION:
        return new GraphQLInterfaceType({
          name,
          description,
          interfaces: () => interfaces(plugin, node.interfaces),
          fields: () => fields(plugin, name, node.fields),
        })
      case Kind.UNION_TYPE_DEFINITION:
        return new GraphQLUnionType({
          name,
          description,
          types: () =>
            (node.types ?? []).map((member) => {
              const type = named(plugin, member)
              if (type instanceof GraphQLObjectType) return type
              throw refuse(plugin, `has ${type.name} in the union ${name}; members are object types`)
            }),
        })
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        return new GraphQLInputObjectType({ name, description, fields: () => inputs(plugin, node.fields) })
      case Kind.ENUM_TYPE_DEFINITION:
        return new GraphQLEnumType({
          name,
          description,
          values: Object.fromEntries(
            (node.values ?? []).map((value) => [
              value.name.value,
              { description: value.description?.value, deprecationReason: deprecationOf(value) },
            ]),
          ),
        })
      case Kind.SCALAR_TYPE_DEFINITION:
        return new GraphQLScalarType({ name, description })
    }
  }

  const directives = lazily(() =>
    [...parsed.directives.values()].map(
      ({ plugin, node }) =>
        new GraphQLDirective({
          name: node.name.value,
          description: node.description?.value,
          locations: node.locations.map((location) => location.value) as never,
          isRepeatable: node.repeatable,
          args: inputs(plugin, node.arguments),
        }),
    ),
  )

  return {
    parsed,
    get,
    all: () => [...parsed.types.keys()].map((name) => get(name)!),
    get directives() {
      return directives()
    },
    root: ({ plugin, node }) => ({ ...field(plugin, node), args: inputs(plugin, node.arguments) }),
    check() {
      for (const type of this.all()) {
        if (type instanceof GraphQLUnionType) type.getTypes()
        else if ('getFields' in type) type.getFields()
        if (type instanceof GraphQLObjectType || type instanceof GraphQLInterfaceType) type.getInterfaces()
      }
      for (const root of [...parsed.query.values(), ...parsed.mutation.values()]) this.root(root)
    },
  }
}

function deprecationOf({
  directives = [],
}: {
  readonly directives?: readonly ConstDirectiveNode[]
}): string | undefined {
  const directive = directives.find(({ name }) => name.value === 'deprecated')
  if (directive === undefined) return undefined
  const reason = directive.arguments?.find(({ name }) => name.value === 'reason')?.value
  return reason?.kind === Kind.STRING ? reason.value : 'No longer supported'
}

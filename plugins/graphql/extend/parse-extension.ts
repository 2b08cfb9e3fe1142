import {
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type FieldDefinitionNode,
  Kind,
  parse,
  type TypeDefinitionNode,
} from 'graphql'
import { listNames, type RootGuard, type SchemaModel, SvcError } from '../../../core/doors/plugin.ts'
import type { GraphQLExtension, RowsAnswer, ValueRoot } from './graphql-extension.ts'

/** A definition in the SDL of a plugin, with the name of this plugin. */
export interface Owned<T> {
  readonly plugin: string
  readonly node: T
}

export interface ParsedRoot extends Owned<FieldDefinitionNode> {
  readonly guard: RootGuard
  readonly by: ValueRoot | RowsAnswer
}

/** Parsed SDL that plugins add to the GraphQL schema, by name of the type, directive or root field. */
export interface ParsedExtensions {
  readonly types: ReadonlyMap<string, Owned<TypeDefinitionNode>>
  readonly directives: ReadonlyMap<string, Owned<DirectiveDefinitionNode>>
  readonly query: ReadonlyMap<string, ParsedRoot>
  readonly mutation: ReadonlyMap<string, ParsedRoot>
}

/**
 * The definitions that a plugin adds to the GraphQL schema with `GraphQLApi.extend`, or a function that makes them for
 * a loaded schema.
 */
export interface OwnedExtension {
  readonly plugin: string
  readonly extension: GraphQLExtension | ((schema: SchemaModel) => GraphQLExtension)
}

const OPEN: RootGuard = {
  public: false,
  authenticated: false,
  apiKeyRequired: false,
  requiresRole: [],
  requiresScope: undefined,
  requiresPolicy: undefined,
}

/**
 * Parses the SDL that plugins add to the GraphQL schema, including the SDL that their compile parts stored in the
 * compiled schema.
 * @throws SvcError SVC_PLUGIN_INVALID with the name of the plugin
 */
export function parseExtensions(model: SchemaModel, given: readonly OwnedExtension[]): ParsedExtensions {
  const types = new Map<string, Owned<TypeDefinitionNode>>()
  const directives = new Map<string, Owned<DirectiveDefinitionNode>>()
  const roots = { query: new Map<string, ParsedRoot>(), mutation: new Map<string, ParsedRoot>() }

  function addAll(plugin: string, sdl: string): void {
    for (const node of read(plugin, sdl)) {
      const name = 'name' in node && node.name !== undefined ? node.name.value : ''
      if (node.kind === Kind.DIRECTIVE_DEFINITION) add(directives, plugin, `@${name}`, name, node)
      else if (isTypeDefinition(node)) {
        if (model.types.has(name) || ROOTS.has(name)) throw taken(plugin, `the type "${name}"`, 'the schema')
        add(types, plugin, `the type "${name}"`, name, node)
      } else {
        throw refuse(
          plugin,
          `holds ${node.kind}; it can define types, inputs, enums, scalars, unions, interfaces and directives`,
        )
      }
    }
  }

  for (const [plugin, { sdl }] of Object.entries(model.compiled.plugins ?? {}))
    if (sdl !== undefined) addAll(plugin, sdl)
  for (const { plugin, extension } of given) {
    const {
      types: sdl,
      directives: more,
      roots: fields = [],
    } = typeof extension === 'function' ? extension(model) : extension
    if (sdl !== undefined) addAll(plugin, sdl)
    if (more !== undefined) addAll(plugin, more)
    for (const { kind, field, guard, ...by } of fields) {
      if (kind !== 'query' && kind !== 'mutation')
        throw refuse(plugin, `has a root of the kind "${String(kind)}"; kinds: query, mutation`)
      const node = readField(plugin, field)
      const name = node.name.value
      const own = kind === 'query' ? model.queries : model.mutations
      const what = `the ${kind} "${name}"`
      if (own.has(name) || (kind === 'query' && name === 'node' && model.relayTypes.length > 0))
        throw taken(plugin, what, 'the schema')
      const twin = roots[kind].get(name)
      if (twin !== undefined) throw taken(plugin, what, `plugin "${twin.plugin}"`)
      roots[kind].set(name, { plugin, node, guard: { ...OPEN, ...guard }, by })
    }
  }
  return { types, directives, ...roots }
}

const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription', 'Node', 'PageInfo'])

function add<T>(all: Map<string, Owned<T>>, plugin: string, what: string, name: string, node: T): void {
  const twin = all.get(name)
  if (twin !== undefined) throw taken(plugin, what, `plugin "${twin.plugin}"`)
  all.set(name, { plugin, node })
}

function isTypeDefinition(node: DefinitionNode): node is TypeDefinitionNode {
  return node.kind.endsWith('TypeDefinition')
}

function read(plugin: string, sdl: string): readonly DefinitionNode[] {
  try {
    return parse(sdl).definitions
  } catch (error) {
    throw refuse(plugin, `cannot be read: ${(error as Error).message}`)
  }
}

function readField(plugin: string, field: string): FieldDefinitionNode {
  const [definition] = read(plugin, `type Query { ${field} }`)
  const fields = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? (definition.fields ?? []) : []
  if (fields.length === 1) return fields[0]!
  throw refuse(plugin, `has a root that is ${fields.length} fields: ${listNames(fields.map((one) => one.name.value))}`)
}

/**
 * Creates the error SVC_PLUGIN_INVALID for definitions that a plugin adds to the GraphQL schema.
 * @param what the rest of a sentence that begins with "What plugin … adds to the GraphQL schema"
 */
export function refuse(plugin: string, what: string): SvcError {
  return new SvcError('SVC_PLUGIN_INVALID', `What plugin "${plugin}" adds to the GraphQL schema ${what}.`)
}

function taken(plugin: string, what: string, owner: string): SvcError {
  return refuse(plugin, `has ${what}, which ${owner} has already`)
}

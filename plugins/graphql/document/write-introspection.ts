import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isLeafType,
  isListType,
  isNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'

/** Input of {@link writeIntrospection}: the schema, and the fragments and variables of the document. */
export interface IntrospectionSource {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Variables by name, converted to their types. */
  readonly variables: Readonly<Record<string, unknown>>
}

type Write = (value: unknown) => string

interface Member {
  /** Response key as JSON. */
  readonly key: string
  readonly read: (source: unknown) => unknown
  readonly write: Write
}

/**
 * Executes introspection fields and writes the result as JSON, with the same bytes as the `graphql` package. It is
 * faster, because it reads each selection and writes each named type only once.
 * @param fields `__schema` and `__type` by response key
 * @returns JSON text by response key
 * @throws Error when the result has an error; the caller then runs the `graphql` package, which reports its path
 */
export function writeIntrospection(
  source: IntrospectionSource,
  fields: ReadonlyMap<string, readonly FieldNode[]>,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const query = source.schema.getQueryType()!
  for (const [key, nodes] of fields) {
    const definition = nodes[0]!.name.value === '__schema' ? SchemaMetaFieldDef : TypeMetaFieldDef
    const { read, write } = createMember(source, query, definition, key, nodes)
    texts.set(key, write(read(undefined)))
  }
  return texts
}

function createMember(
  source: IntrospectionSource,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  key: string,
  nodes: readonly FieldNode[],
): Member {
  const args = getArgumentValues(field, nodes[0]!, source.variables)
  // Introspection fields read only these two members.
  const info = { schema: source.schema, parentType } as GraphQLResolveInfo
  const resolve = field.resolve!
  return {
    key: `${JSON.stringify(key)}:`,
    read: (value) => resolve(value, args, undefined, info),
    write: createWriter(source, field.type, nodes),
  }
}

function createWriter(source: IntrospectionSource, type: GraphQLOutputType, nodes: readonly FieldNode[]): Write {
  if (isNonNullType(type)) {
    const write = createWriter(source, type.ofType, nodes)
    return (value) => {
      if (value === null || value === undefined) throw new Error('A field of introspection is null that must not be.')
      return write(value)
    }
  }
  const write = isListType(type)
    ? createListWriter(createWriter(source, type.ofType, nodes))
    : isLeafType(type)
      ? (value: unknown) => JSON.stringify(type.serialize(value))
      : createObjectWriter(source, type, nodes)
  return (value) => (value === null || value === undefined ? 'null' : write(value))
}

function createListWriter(write: Write): Write {
  return (value) => {
    let text = ''
    for (const item of value as Iterable<unknown>) text += text === '' ? write(item) : `,${write(item)}`
    return `[${text}]`
  }
}

function createObjectWriter(source: IntrospectionSource, type: unknown, nodes: readonly FieldNode[]): Write {
  if (!isObjectType(type)) throw new Error('A field of introspection has no object type.')
  // Created with the first object, because a selection can be nested deeper than its result.
  let members: readonly Member[] | null = null
  const known = new Map<unknown, string>()

  function writeMembers(value: unknown): string {
    members ??= membersOf(source, type as GraphQLObjectType, nodes)
    let text = ''
    for (const { key, read, write } of members) text += `${text === '' ? '' : ','}${key}${write(read(value))}`
    return `{${text}}`
  }

  return (value) => {
    if (!isNamedType(value)) return writeMembers(value)
    let text = known.get(value)
    if (text === undefined) {
      text = writeMembers(value)
      known.set(value, text)
    }
    return text
  }
}

/** Returns the selected fields of objects of the type, in response order. */
function membersOf(
  source: IntrospectionSource,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): readonly Member[] {
  const { fragments, variables } = source
  const byKey = new Map<string, FieldNode[]>()
  const visited = new Set<string>()

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD && visited.has(selection.name.value)) continue
      if (!isIncluded(selection, variables)) continue
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        const same = byKey.get(key)
        if (same === undefined) byKey.set(key, [selection])
        else same.push(selection)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const { typeCondition } = selection
        if (typeCondition === undefined || typeCondition.name.value === type.name) collect(selection.selectionSet)
      } else {
        visited.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment?.typeCondition.name.value === type.name) collect(fragment.selectionSet)
      }
    }
  }

  for (const { selectionSet } of nodes) if (selectionSet !== undefined) collect(selectionSet)
  const definitions = type.getFields()
  return [...byKey].map(([key, same]) => {
    const name = same[0]!.name.value
    return createMember(source, type, name === '__typename' ? TypeNameMetaFieldDef : definitions[name]!, key, same)
  })
}

function isIncluded(
  node: { readonly directives?: readonly DirectiveNode[] },
  variables: Readonly<Record<string, unknown>>,
): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
}

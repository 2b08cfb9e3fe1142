import type { JsonSchema } from '../../core/doors/plugin.ts'
import { listFiles, read } from './source-files.ts'
import { type Node, parse, walk } from './source-syntax.ts'

/** A member of an interface. */
interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly type: Node
}

/** Interfaces by name. */
export type Interfaces = ReadonlyMap<string, Node>

/** Reads the interfaces that files declare. */
export function interfacesIn(files: readonly (readonly [name: string, source: string])[]): Interfaces {
  const found = new Map<string, Node>()
  for (const [file, source] of files)
    walk(parse(file, source), (node) => {
      if (node.type === 'TSInterfaceDeclaration') found.set(nameOf(node.id as Node), node)
    })
  return found
}

export function interfacesOf(plugin: string): Interfaces {
  return interfacesIn(listFiles(`plugins/${plugin}`, '.ts').map((file) => [file, read(file)]))
}

/** The type that `definePlugin<…>` of a plugin names; `null`: its set-up takes no options. */
export function optionsTypeOf(plugin: string): string | null {
  return /definePlugin<(\w+)>/.exec(read(`plugins/${plugin}/index.ts`))?.[1] ?? null
}

/**
 * Where an interface differs from a JSON Schema of the same keys: a key that only one of them has, and a key that is optional in one of
 * them only. With a default, or required, a key is always there.
 */
export function differences(interfaces: Interfaces, name: string, schema: JsonSchema): readonly string[] {
  const members = interfaces.has(name) ? membersOfInterface(interfaces, name) : null
  return members === null ? [`there is no interface ${name}`] : compare(interfaces, members, schema, '')
}

function compare(
  interfaces: Interfaces,
  members: readonly Member[],
  schema: JsonSchema,
  path: string,
): readonly string[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (schema.required ?? []) as readonly string[]
  const names = members.map((member) => member.name)
  return [
    ...Object.keys(properties)
      .filter((key) => !names.includes(key))
      .map((key) => `${path}${key} is missing in the interface`),
    ...members.flatMap(({ name, isOptional, type }) => {
      const key = `${path}${name}`
      const property = properties[name]
      if (property === undefined) return [`${key} is missing in the JSON Schema`]
      const isThere = property.default !== undefined || required.includes(name)
      if (isThere === isOptional)
        return [`${key} is ${isThere ? 'always there' : 'optional'} in the JSON Schema, and not in the interface`]
      const value = (property.items ?? property) as JsonSchema
      const within = value.properties === undefined ? null : membersOfType(interfaces, type)
      return within === null ? [] : compare(interfaces, within, value, `${key}.`)
    }),
  ]
}

function membersOfInterface(interfaces: Interfaces, name: string): readonly Member[] | null {
  const found = interfaces.get(name)
  if (found === undefined) return null
  const inherited = (found.extends as readonly Node[]).flatMap(
    ({ expression, typeArguments }) => membersOfReference(interfaces, expression as Node, typeArguments) ?? [],
  )
  return [...inherited, ...membersIn((found.body as { readonly body: readonly Node[] }).body)]
}

function membersIn(body: readonly Node[]): readonly Member[] {
  return body.flatMap((member): readonly Member[] => {
    if (member.type !== 'TSPropertySignature') return []
    const { typeAnnotation: type } = member.typeAnnotation as { readonly typeAnnotation: Node }
    return [{ name: nameOf(member.key as Node), isOptional: member.optional === true, type }]
  })
}

/** Of a type, or of the elements of a list; `null`: the type has no members that are known here. */
function membersOfType(interfaces: Interfaces, type: Node): readonly Member[] | null {
  switch (type.type) {
    case 'TSTypeOperator':
      return membersOfType(interfaces, type.typeAnnotation as Node)
    case 'TSArrayType':
      return membersOfType(interfaces, type.elementType as Node)
    case 'TSTypeLiteral':
      return membersIn(type.members as readonly Node[])
    case 'TSIntersectionType':
      return (type.types as readonly Node[]).flatMap((each) => membersOfType(interfaces, each) ?? [])
    case 'TSIndexedAccessType': {
      const [key] = literalsOf(type.indexType as Node)
      const member = membersOfType(interfaces, type.objectType as Node)?.find(({ name }) => name === key)
      return member === undefined ? null : membersOfType(interfaces, member.type)
    }
    case 'TSTypeReference':
      return membersOfReference(interfaces, type.typeName as Node, type.typeArguments)
    default:
      return null
  }
}

function membersOfReference(interfaces: Interfaces, name: Node, typeArguments: unknown): readonly Member[] | null {
  const [first, second] = (typeArguments as { readonly params: readonly Node[] } | null)?.params ?? []
  if (first === undefined) return membersOfInterface(interfaces, nameOf(name))
  const members = membersOfType(interfaces, first)
  if (nameOf(name) === 'Partial') return members?.map((member) => ({ ...member, isOptional: true })) ?? null
  if (nameOf(name) !== 'Omit') return null
  const left = literalsOf(second!)
  return members?.filter((member) => !left.includes(member.name)) ?? null
}

/** The texts of a literal type, or of a union of them. */
function literalsOf(type: Node): readonly string[] {
  if (type.type === 'TSUnionType') return (type.types as readonly Node[]).flatMap(literalsOf)
  return type.type === 'TSLiteralType' ? [nameOf(type.literal as Node)] : []
}

function nameOf(node: Node): string {
  return String(node.name ?? node.value)
}

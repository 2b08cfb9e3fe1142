import { listFiles, read } from './source-files.ts'
import { type Node, parse, walk } from './source-syntax.ts'

/** A member of an interface of options. */
export interface Member {
  readonly name: string
  readonly isOptional: boolean
  /** The interface of its value, or of the elements of its list; `null`: it has another type. */
  readonly of: string | null
}

/** The interfaces of one plugin, by name. */
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

/** The members of an interface, inherited ones included; `null`: there is no such interface. */
export function membersOf(interfaces: Interfaces, name: string): readonly Member[] | null {
  const found = interfaces.get(name)
  if (found === undefined) return null
  const inherited = (found.extends as readonly Node[]).flatMap(({ expression, typeArguments }) => {
    const base = nameOf(expression as Node)
    if (base !== 'Partial') return membersOf(interfaces, base) ?? []
    const [argument] = (typeArguments as { readonly params: readonly Node[] }).params
    return (membersOf(interfaces, referenceOf(argument!) ?? '') ?? []).map((member) => ({
      ...member,
      isOptional: true,
    }))
  })
  const own = (found.body as { readonly body: readonly Node[] }).body.flatMap((member): readonly Member[] => {
    if (member.type !== 'TSPropertySignature') return []
    const type = (member.typeAnnotation as { readonly typeAnnotation: Node }).typeAnnotation
    return [{ name: nameOf(member.key as Node), isOptional: member.optional === true, of: referenceOf(type) }]
  })
  return [...inherited, ...own]
}

/** The type that `definePlugin<…>` of a plugin names; `null`: its set-up takes no options. */
export function optionsTypeOf(plugin: string): string | null {
  return /definePlugin<(\w+)>/.exec(read(`plugins/${plugin}/index.ts`))?.[1] ?? null
}

/** The name of a type, or of the elements of a list. */
function referenceOf(type: Node): string | null {
  if (type.type === 'TSTypeOperator') return referenceOf(type.typeAnnotation as Node)
  if (type.type === 'TSArrayType') return referenceOf(type.elementType as Node)
  return type.type === 'TSTypeReference' ? nameOf(type.typeName as Node) : null
}

function nameOf(node: Node): string {
  return String(node.name ?? node.value)
}

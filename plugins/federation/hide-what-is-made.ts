import { aggregatesOf, type InterfaceType, type NamedType } from '../../core/doors/front.ts'
import type { ObjectType, SchemaModel } from '../../core/doors/plugin.ts'
import { aggregateFieldsOf, type ConstDirectiveNode, type DefinitionNode, Kind, type TypeNode } from '../graphql/api.ts'
import type { FederationBlock } from './block.ts'
import { withMarks } from './with-marks.ts'

const HIDDEN = '@inaccessible'
/** Suffixes of types generated from a type: filters, sort keys, pages, aggregates. */
const MADE = /^(?:WhereInput|OrderByInput|ListFilter|Connection|Edge|List|Aggregate\w*|Group\w*|Having\w*Input)$/

/** A definition or part of a definition. */
interface Node {
  readonly name?: { readonly value: string }
  readonly directives?: readonly ConstDirectiveNode[]
  readonly type?: TypeNode
  readonly defaultValue?: unknown
  readonly arguments?: readonly Node[]
  readonly fields?: readonly Node[]
  readonly values?: readonly Node[]
}

/**
 * Copies `@inaccessible` and `@tag` from fields to the definitions that are generated from them, such as filters, sort
 * keys and aggregates, because these reveal values too. A definition that refers to an inaccessible type becomes
 * inaccessible.
 * @param marks directives by `Type` or `Type.field`
 */
export function hideWhatIsMade(
  definitions: readonly DefinitionNode[],
  marks: FederationBlock['marks'],
  schema: SchemaModel,
): readonly DefinitionNode[] {
  const owners = [...schema.types.values()].filter(isOwner)
  const hidden = new Set(owners.map(({ name }) => name).filter((name) => marks[name]?.includes(HIDDEN) === true))
  const shown = new Map(owners.map((owner) => [owner.name, marksOfMembers(owner, marks)]))
  if (hidden.size === 0 && [...shown.values()].every((members) => members.size === 0)) return definitions
  const isMade = new Set<string>()
  let nodes = (definitions as readonly Node[]).map((node) => {
    const name = node.name?.value ?? ''
    const authored = schema.types.get(name)
    if (authored !== undefined) return isOwner(authored) ? markNumbers(node, authored, shown.get(name)) : node
    const owner = ownerOf(name, shown)
    if (owner === undefined) return node
    isMade.add(name)
    if (hidden.has(owner)) {
      hidden.add(name)
      return withMarks(node, [HIDDEN])
    }
    return mapMembers(node, (member) => withMarks(member, shown.get(owner)?.get(member.name?.value ?? '')))
  })
  for (let size = -1; size !== hidden.size; ) {
    size = hidden.size
    nodes = nodes.map((node) => {
      const name = node.name?.value ?? ''
      if (hidden.has(name)) return node
      const closed = mapMembers(node, (member) => close(member, hidden))
      if (!isMade.has(name) || !membersOf(closed).every(isHidden)) return closed
      hidden.add(name)
      return withMarks(closed, [HIDDEN])
    })
  }
  return nodes as unknown as readonly DefinitionNode[]
}

function isOwner(type: NamedType): type is ObjectType | InterfaceType {
  return type.kind === 'object' || type.kind === 'interface'
}

/** Marks the aggregate fields of relations. */
function markNumbers(
  node: Node,
  owner: ObjectType | InterfaceType,
  marks?: ReadonlyMap<string, readonly string[]>,
): Node {
  if (marks === undefined || marks.size === 0) return node
  const numbers = aggregateFieldsOf(owner)
  return mapMembers(node, (member) => {
    const relation = numbers.get(member.name?.value ?? '')?.of.wireName
    return relation === undefined ? member : withMarks(member, marks.get(relation))
  })
}

/** Returns the directives of the underlying field, by name of the generated member. */
function marksOfMembers(
  owner: ObjectType | InterfaceType,
  marks: FederationBlock['marks'],
): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, readonly string[]>()
  const add = (name: string, field: string): void => {
    const kept = (marks[`${owner.name}.${field}`] ?? []).filter((mark) => mark === HIDDEN || mark.startsWith('@tag('))
    if (kept.length > 0) members.set(name, kept)
  }
  // Besides the fields themselves: periods of dates and times.
  for (const [name, { field }] of aggregatesOf(owner).keys) add(name, field.wireName)
  for (const { wireName } of owner.fields.values()) add(wireName, wireName)
  return members
}

/** Returns the type that a type was generated from; of two candidates the one with the longer name. */
function ownerOf(name: string, owners: ReadonlyMap<string, unknown>): string | undefined {
  for (let end = name.length - 1; end > 0; end--) {
    const owner = name.slice(0, end)
    if (owners.has(owner) && MADE.test(name.slice(end))) return owner
  }
  return undefined
}

function membersOf({ fields, values }: Node): readonly Node[] {
  return fields ?? values ?? []
}

function mapMembers(node: Node, change: (member: Node) => Node): Node {
  if (node.fields !== undefined) return { ...node, fields: node.fields.map(change) }
  return node.values === undefined ? node : { ...node, values: node.values.map(change) }
}

function close(member: Node, hidden: ReadonlySet<string>): Node {
  if (isHidden(member)) return member
  const leads = ({ type }: Node): boolean => type !== undefined && hidden.has(namedOf(type))
  const args = member.arguments ?? []
  const isWanted = (one: Node): boolean => one.type?.kind === Kind.NON_NULL_TYPE && one.defaultValue === undefined
  if (leads(member) || args.some((one) => leads(one) && isWanted(one))) return withMarks(member, [HIDDEN])
  if (!args.some((one) => leads(one) && !isHidden(one))) return member
  const closed = args.map((one) => (leads(one) && !isHidden(one) ? withMarks(one, [HIDDEN]) : one))
  return { ...member, arguments: closed }
}

function isHidden({ directives = [] }: Node): boolean {
  return directives.some(({ name }) => name.value === 'inaccessible')
}

function namedOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedOf(type.type)
}

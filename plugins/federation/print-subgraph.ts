import type { SchemaModel } from '../../core/doors/plugin.ts'
import {
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputObjectTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
} from '../graphql/api.ts'
import type { FederationBlock } from './block.ts'
import { hideWhatIsMade } from './hide-what-is-made.ts'
import { withMarks } from './with-marks.ts'

/** Types of the specification, which subgraphs do not print. */
const OWN_TYPES: ReadonlySet<string> = new Set(['_Any', '_Entity', '_Service'])
const OWN_FIELDS: ReadonlySet<string> = new Set(['_entities', '_service'])
/** Types that are the same in all services, and therefore shareable. */
const ALIKE: ReadonlySet<string> = new Set(['PageInfo'])

/**
 * Prints the schema as a federation subgraph for routers and composition, with `@link` and the federation directives.
 * @param sdl the schema in SDL, as introspection shows it
 * @param schema the schema that `sdl` was printed from
 */
export function printSubgraph(sdl: string, block: FederationBlock, schema: SchemaModel): string {
  const document = parse(sdl)
  const isAlike = document.definitions.some((node) => 'name' in node && ALIKE.has(node.name?.value ?? ''))
  const imports = isAlike ? [...new Set([...block.imports, 'shareable'])].sort() : block.imports
  const marked = document.definitions.flatMap((node) => edit(node, block.marks))
  const definitions = hideWhatIsMade(marked, block.marks, schema)
  const composed = block.compose.map(({ definition }) => print(parse(definition)))
  const edited: DocumentNode = { kind: Kind.DOCUMENT, definitions }
  return [printLinks(block, imports), ...composed, print(edited)].join('\n\n').concat('\n')
}

function printLinks({ version, compose }: FederationBlock, imports: readonly string[]): string {
  const lines = [
    link(
      `https://specs.apollo.dev/federation/v${version}`,
      imports.map((name) => `@${name}`),
    ),
  ]
  for (const { name, url } of compose) lines.push(link(url, [name]), `@composeDirective(name: "${name}")`)
  return `extend schema\n${lines.map((line) => `  ${line}`).join('\n')}`
}

function link(url: string, names: readonly string[]): string {
  const imported = names.length === 0 ? '' : `, import: ${JSON.stringify(names)}`
  return `@link(url: ${JSON.stringify(url)}${imported})`
}

function edit(node: DefinitionNode, marks: FederationBlock['marks']): readonly DefinitionNode[] {
  switch (node.kind) {
    case Kind.OBJECT_TYPE_DEFINITION: {
      if (OWN_TYPES.has(node.name.value)) return []
      const marked = mark(node, marks)
      // The root has no printed fields left.
      return marked.fields?.length === 0 ? [] : [marked]
    }
    case Kind.INTERFACE_TYPE_DEFINITION:
      return [mark(node, marks)]
    case Kind.SCALAR_TYPE_DEFINITION:
    case Kind.UNION_TYPE_DEFINITION:
      return OWN_TYPES.has(node.name.value) ? [] : [node]
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return [withoutOneOf(node)]
    default:
      return [node]
  }
}

/** Removes `@oneOf`, which composition does not support. svc enforces it in any case. */
function withoutOneOf(node: InputObjectTypeDefinitionNode): InputObjectTypeDefinitionNode {
  return { ...node, directives: (node.directives ?? []).filter(({ name }) => name.value !== 'oneOf') }
}

function mark<T extends Pick<ObjectTypeDefinitionNode, 'name' | 'directives' | 'fields'>>(
  node: T,
  marks: FederationBlock['marks'],
): T {
  const name = node.name.value
  const fields = (node.fields ?? [])
    .filter((field) => name !== 'Query' || !OWN_FIELDS.has(field.name.value))
    .map((field): FieldDefinitionNode => withMarks(field, marks[`${name}.${field.name.value}`]))
  const own = ALIKE.has(name) ? ['@shareable'] : marks[name]
  return withMarks({ ...node, fields }, own)
}

import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql'
import type { ClientDocument } from '../documents/find-documents.ts'
import type { ApiSchema } from '../schema/read-api-schema.ts'
import { quote, writeNamed, writeType } from './type-names.ts'

/**
 * Writes, for each operation in the client's sources, the types of its result and variables, and a constant with the
 * text of the operation, which the generated function `request` accepts.
 * @param free returns a name that is not used yet in the generated module
 */
export function writeDocuments(
  documents: readonly ClientDocument[],
  api: ApiSchema,
  free: (name: string) => string,
): string {
  return documents
    .map((document) => {
      const { operation, text } = document
      const kind = operation.operation[0]!.toUpperCase() + operation.operation.slice(1)
      const name = document.name[0]!.toUpperCase() + document.name.slice(1)
      const [result, variables, constant] = [
        free(`${name}${kind}`),
        free(`${name}${kind}Variables`),
        free(`${name}Document`),
      ]
      const root = api.schema.getRootType(operation.operation)!
      return [
        `export type ${result} = ${writeSelected(operation.selectionSet, root, document, api, '')}\n`,
        `export type ${variables} = ${writeVariables(document, api)}\n`,
        `export const ${constant}: TypedDocument<${result}, ${variables}> = ${JSON.stringify(text)}\n`,
      ].join('')
    })
    .join('\n')
}

function writeVariables({ operation }: ClientDocument, api: ApiSchema): string {
  const members = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const found = typeFromAST(api.schema, type as never) as GraphQLOutputType
    const written = writeType(found, (named) => writeNamed(named, 'in', api))
    const required = type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined
    return `  readonly ${variable.name.value}${required ? `: ${written}` : `?: ${written} | undefined`}\n`
  })
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}}`
}

interface Selected {
  readonly nodes: FieldNode[]
  /** `@include` or `@skip` may leave the field out. */
  optional: boolean
}

/** Writes the result of a selection: of an abstract type, one alternative per object type. */
function writeSelected(
  set: SelectionSetNode,
  type: GraphQLNamedType,
  document: ClientDocument,
  api: ApiSchema,
  indent: string,
): string {
  if (isAbstractType(type)) {
    const members = [...api.schema.getPossibleTypes(type)].sort((a, b) => (a.name < b.name ? -1 : 1))
    const written = members.map((member) => writeSelected(set, member, document, api, indent))
    return [...new Set(written)].join(' | ') || 'never'
  }
  if (!isObjectType(type)) return 'unknown'
  const fields = new Map<string, Selected>()
  collect([set], type, document, api, false, fields)
  const members = [...fields].map(([key, { nodes, optional }]) => {
    const mark = optional ? '?' : ''
    const name = nodes[0]!.name.value
    if (name === '__typename') return `${indent}  readonly ${key}${mark}: ${quote(type.name)}\n`
    const field = type.getFields()[name]
    if (field === undefined) return `${indent}  readonly ${key}${mark}: unknown\n`
    const written = writeType(field.type, (named) => {
      if (!isCompositeType(getNamedType(field.type))) return writeNamed(named, 'out', api)
      const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
      const below = writeSelected({ kind: Kind.SELECTION_SET, selections }, named, document, api, `${indent}  `)
      return isAbstractType(named) ? `(${below})` : below
    })
    return `${indent}  readonly ${key}${mark}: ${written}\n`
  })
  return `{\n${members.join('')}${indent}}`
}

function collect(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  document: ClientDocument,
  api: ApiSchema,
  optional: boolean,
  fields: Map<string, Selected>,
): void {
  for (const node of sets.flatMap(({ selections }) => selections)) {
    const isOptional = optional || (node.directives ?? []).some(({ name }) => ['include', 'skip'].includes(name.value))
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value
      const known = fields.get(key)
      if (known === undefined) fields.set(key, { nodes: [node], optional: isOptional })
      else {
        known.nodes.push(node)
        known.optional &&= isOptional
      }
      continue
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : document.fragments.get(node.name.value)
    if (fragment === undefined) continue
    const on = fragment.typeCondition?.name.value
    const condition = on === undefined ? type : api.schema.getType(on)
    const applies = condition === type || (isAbstractType(condition) && api.schema.isSubType(condition, type))
    if (applies) collect([fragment.selectionSet], type, document, api, isOptional, fields)
  }
}

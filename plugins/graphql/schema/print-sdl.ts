import { type DefinitionNode, Kind, parse, print, printSchema } from 'graphql'
import type { SchemaView } from './graphql-schema.ts'

const ROOTS = ['Query', 'Mutation', 'Subscription']

/**
 * Prints the GraphQL schema as SDL, including definitions of plugins. Definitions are sorted by name, so that a new
 * field moves no type. Fields keep the order of their declaration.
 */
export function printSdl({ full }: Pick<SchemaView, 'full'>): string {
  const text = printSchema(full())
  // The schema can be empty, but GraphQL does not parse an empty document.
  if (text === '') return ''
  const { definitions } = parse(text)
  return `${[...definitions].sort(compare).map(print).join('\n\n')}\n`
}

/** Sorts directives first, then root types, then types by name. */
function compare(one: DefinitionNode, other: DefinitionNode): number {
  const [a, b] = [place(one), place(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function place(definition: DefinitionNode): string {
  if (!('name' in definition) || definition.name === undefined) return '0'
  const { value } = definition.name
  if (definition.kind === Kind.DIRECTIVE_DEFINITION) return `1${value}`
  const root = ROOTS.indexOf(value)
  return root === -1 ? `3${value}` : `2${root}`
}

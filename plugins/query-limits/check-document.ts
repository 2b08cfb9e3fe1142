import { SvcError } from '../../core/doors/plugin.ts'
import { type DocumentNode, type FragmentDefinitionNode, type GraphQLSchema, Kind } from '../graphql/api.ts'
import { complexityOf } from './complexity.ts'
import { createCounter } from './counts.ts'
import { depthOf } from './depth.ts'
import type { QueryLimits } from './options.ts'

/**
 * Checks every operation of a document against the limits (docs/plugins/query-limits.md). Fields with `@skip` or `@include` count in any
 * case.
 * @param document a valid document
 * @throws SvcError VALIDATION_ERROR, with `limit` and `setting` in the details
 */
export function checkDocument(document: DocumentNode, schema: GraphQLSchema, limits: QueryLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each)
  const count = createCounter(fragments)
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue
    const refuse = (key: keyof QueryLimits, what: string): never => {
      const name = operation.name === undefined ? 'The operation' : `The operation "${operation.name.value}"`
      throw new SvcError('VALIDATION_ERROR', `${name} ${what} (validation.${key}).`, {
        details: { limit: limits[key], setting: `validation.${key}` },
        ...(operation.loc === undefined
          ? {}
          : { locations: [{ line: operation.loc.startToken.line, column: operation.loc.startToken.column }] }),
      })
    }
    const { aliases, directives, rootFields } = count(operation)
    const { max_query_aliases, max_query_complexity, max_query_depth, max_query_directives, max_query_root_fields } =
      limits
    if (exceeds(rootFields, max_query_root_fields))
      refuse('max_query_root_fields', `selects ${rootFields} root fields; at most ${max_query_root_fields} may be`)
    if (exceeds(aliases, max_query_aliases))
      refuse('max_query_aliases', `has ${shown(aliases)} aliases; at most ${max_query_aliases} may be`)
    if (exceeds(directives, max_query_directives))
      refuse('max_query_directives', `uses ${shown(directives)} directives; at most ${max_query_directives} may be`)
    if (max_query_depth > 0 && depthOf(operation, fragments, max_query_depth) > max_query_depth)
      refuse('max_query_depth', `is nested deeper than ${max_query_depth} levels`)
    if (max_query_complexity > 0 && complexityOf(operation, fragments, schema, limits) > max_query_complexity)
      refuse('max_query_complexity', `is more complex than ${max_query_complexity}: select less, or ask in parts`)
  }
}

function exceeds(value: number, bound: number): boolean {
  return bound > 0 && value > bound
}

/** Fragments that spread fragments make numbers that no one reads. */
function shown(value: number): string {
  return value > 1_000_000 ? 'more than a million' : String(value)
}

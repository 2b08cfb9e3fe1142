import type { AuthoredSchema } from '../schema/authored.ts'
import type { CompiledSchema } from '../schema/compiled.ts'

/** Number of elements of each kind in a schema. */
export interface CompileCounts {
  readonly types: number
  readonly enums: number
  readonly interfaces: number
  readonly unions: number
  readonly inputs: number
  readonly scalars: number
  readonly queries: number
  readonly mutations: number
  readonly subscriptions: number
  readonly observers: number
  readonly sources: number
  readonly functions: number
}

export function countElements(schema: AuthoredSchema | null, compiled: CompiledSchema | null): CompileCounts {
  return {
    types: size(schema?.types),
    enums: size(schema?.enums),
    interfaces: size(schema?.interfaces),
    unions: size(schema?.unions),
    inputs: size(schema?.input_types),
    scalars: size(schema?.custom_scalars),
    queries: size(schema?.queries),
    mutations: size(schema?.mutations),
    subscriptions: size(schema?.subscriptions),
    observers: size(schema?.observers),
    sources: Object.keys(compiled?.sources ?? {}).length,
    functions: Object.keys(compiled?.functions ?? {}).length,
  }
}

/**
 * Formats the numbers of elements for the output of `svc compile`: `4 types, 1 enum, 6 queries, 3 mutations`. Types and
 * queries are always listed, other kinds if there are any.
 */
export function printCounts(counts: CompileCounts): string {
  const words: readonly (readonly [number, string, string])[] = [
    [counts.types, 'type', 'types'],
    [counts.enums, 'enum', 'enums'],
    [counts.interfaces, 'interface', 'interfaces'],
    [counts.unions, 'union', 'unions'],
    [counts.inputs, 'input', 'inputs'],
    [counts.scalars, 'scalar', 'scalars'],
    [counts.queries, 'query', 'queries'],
    [counts.mutations, 'mutation', 'mutations'],
    [counts.subscriptions, 'subscription', 'subscriptions'],
    [counts.observers, 'observer', 'observers'],
  ]
  return words
    .filter(([count, one]) => count > 0 || one === 'type' || one === 'query')
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
    .join(', ')
}

function size(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

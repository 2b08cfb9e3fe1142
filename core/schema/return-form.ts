import type { CompiledFunction, CompiledReturn } from './compiled.ts'
import type { MutationModel } from './model.ts'

/**
 * Form in which a mutation's SQL function returns its result (docs/guides/mutations.md).
 * - `record`: a `mutation_response` in one of its three variants
 * - `json`: one JSON document, which may be a `mutation_response`
 * - `rows`: composite rows, such as rows of a view or of `TABLE(…)`
 * - `scalar`: one value
 * - `void`: nothing
 */
export type ReturnForm = 'record' | 'json' | 'rows' | 'scalar' | 'void'

/**
 * How svc uses the result of a mutation's SQL function. `documents`: it contains the data. `ids`: it contains ids, by
 * which svc reads the rows. `void`: it is ignored.
 */
export type WriteKind = 'documents' | 'ids' | 'void'

/**
 * Determines how svc uses the result of a mutation's SQL function. A single value is an id if the mutation's result
 * type is an object.
 */
export function writeKindOf({ named }: Pick<MutationModel, 'named'>, form: ReturnForm): WriteKind {
  if (form === 'void') return 'void'
  return form === 'scalar' && named.kind !== 'scalar' && named.kind !== 'enum' ? 'ids' : 'documents'
}

export function returnFormOf(target: CompiledFunction, returns: CompiledReturn): ReturnForm {
  if (returns.kind === 'void' || (target.kind === 'procedure' && target.yields !== true)) return 'void'
  if (returns.kind === 'scalar') return /^jsonb?$/.test(returns.type) ? 'json' : 'scalar'
  return isRecord(returns.columns) ? 'record' : 'rows'
}

/**
 * Tests whether a SQL function returns a `mutation_response`, by the names of its result columns. The type has three
 * variants.
 */
export function isRecord(columns: readonly { readonly name: string }[]): boolean {
  const has = (name: string) => columns.some((column) => column.name === name)
  if (has('succeeded')) return has('message') || has('entity')
  if (!has('status')) return false
  return has('entity') || (has('message') && (has('entity_id') || (has('data') && has('entity_type'))))
}

/**
 * Describes the result of a SQL function from its columns, when the database catalog was not read. A single column with
 * the name of the function is a plain value.
 * @param leaf `true`: the declared result of the mutation is a scalar or an enum
 */
export function returnFromColumns(
  columns: CompiledReturn['columns'],
  functionName: string,
  leaf: boolean,
): CompiledReturn {
  const [first, ...others] = columns
  if (first === undefined || first.type === 'void') return { set: false, kind: 'void', type: 'void', columns: [] }
  if (others.length === 0 && (leaf || first.name === functionName)) {
    return { set: !first.type.startsWith('_'), kind: 'scalar', type: first.type, columns: [] }
  }
  return { set: true, kind: 'composite', type: 'record', columns: [...columns] }
}

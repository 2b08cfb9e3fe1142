import type { CompiledFunction, CompiledReturn } from './compiled.ts'
import type { MutationModel } from './model.ts'

/**
 * Form of a function's result (docs/guides/mutations.md).
 * - `record`: `mutation_response` in one of its three forms
 * - `json`: one JSON document, which may be a `mutation_response`
 * - `rows`: composite rows, such as rows of a view or of `TABLE(…)`
 * - `scalar`: one value · `void`: nothing
 */
export type ReturnForm = 'record' | 'json' | 'rows' | 'scalar' | 'void'

/** Use of a function's result. `ids`: it contains ids, and the objects are read by id. `void`: returned rows are ignored. */
export type WriteKind = 'documents' | 'ids' | 'void'

/** Returns the way in which the result of a mutation's function is converted to the response. */
export function writeKindOf({ named }: Pick<MutationModel, 'named'>, form: ReturnForm): WriteKind {
  if (form === 'void') return 'void'
  return form === 'scalar' && named.kind !== 'scalar' && named.kind !== 'enum' ? 'ids' : 'documents'
}

export function returnFormOf(target: CompiledFunction, returns: CompiledReturn): ReturnForm {
  if (target.kind === 'procedure' || returns.kind === 'void') return 'void'
  if (returns.kind === 'scalar') return /^jsonb?$/.test(returns.type) ? 'json' : 'scalar'
  return isRecord(returns.columns) ? 'record' : 'rows'
}

/** Tests whether result columns are those of a `mutation_response`, in one of its three forms. */
export function isRecord(columns: readonly { readonly name: string }[]): boolean {
  const has = (name: string) => columns.some((column) => column.name === name)
  if (has('succeeded')) return has('message') || has('entity')
  if (!has('status')) return false
  return has('entity') || (has('message') && (has('entity_id') || (has('data') && has('entity_type'))))
}

/**
 * Describes a result by its columns, as the catalog would. A single column named like the function is a plain value.
 * @param leaf the declared result is a scalar or an enum
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

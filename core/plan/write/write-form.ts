import type { Rows } from '../../contract/statement.ts'
import type { CompiledFunction, CompiledReturn } from '../../schema/compiled.ts'
import type { MutationModel } from '../../schema/model.ts'

/**
 * What a function gives back (behaviours 5.1, 5.2).
 * - `record`: `mutation_response` in one of its forms
 * - `json`: one document, perhaps a `mutation_response` in JSON
 * - `rows`: a composite: rows of a view, `TABLE(…)`
 * - `scalar`: one value · `void`: nothing
 */
export type ReturnForm = 'record' | 'json' | 'rows' | 'scalar' | 'void'

/** `ids`: the function gives ids only, and the objects have to be read. `void`: no rows matter. */
export type WriteKind = 'documents' | 'ids' | 'void'

/** What comes of the result of a mutation's function. */
export function writeKindOf({ named }: Pick<MutationModel, 'named'>, form: ReturnForm): WriteKind {
  if (form === 'void') return 'void'
  return form === 'scalar' && named.kind !== 'scalar' && named.kind !== 'enum' ? 'ids' : 'documents'
}

export function returnFormOf(target: CompiledFunction, returns: CompiledReturn): ReturnForm {
  if (target.kind === 'procedure' || returns.kind === 'void') return 'void'
  if (returns.kind === 'scalar') return /^jsonb?$/.test(returns.type) ? 'json' : 'scalar'
  return isRecord(returns.columns) ? 'record' : 'rows'
}

/** Are these the columns of a `mutation_response`, in one of its forms? */
export function isRecord(columns: readonly { readonly name: string }[]): boolean {
  const has = (name: string) => columns.some((column) => column.name === name)
  if (has('succeeded')) return has('message') || has('entity')
  if (!has('status')) return false
  return has('entity') || (has('message') && (has('entity_id') || (has('data') && has('entity_type'))))
}

/**
 * The result as the catalog would describe it. A single column that is called like the function is a plain value.
 * @param leaf is the declared result a scalar or an enum?
 */
export function returnFromColumns(columns: Rows['columns'], functionName: string, leaf: boolean): CompiledReturn {
  const [first, ...others] = columns
  if (first === undefined || first.type === 'void') return { set: false, kind: 'void', type: 'void', columns: [] }
  if (others.length === 0 && (leaf || first.name === functionName)) {
    return { set: !first.type.startsWith('_'), kind: 'scalar', type: first.type, columns: [] }
  }
  return { set: true, kind: 'composite', type: 'record', columns: [...columns] }
}

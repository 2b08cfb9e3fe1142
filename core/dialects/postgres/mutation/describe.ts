import type { Parameter, Rows, Statement } from '../../../front/database.ts'
import type { MutationRoot } from '../../../front/operation.ts'
import { prepareCall } from '../../../plan/write-call.ts'
import type { CompiledReturn } from '../../../schema/compiled.ts'
import { type BindInput, render, sql } from '../../../sql/fragment.ts'

/** A query of a mutation's function that has its columns and calls nothing: it asks for no row. */
export function describeCall(
  root: MutationRoot,
  input: BindInput,
): { readonly statement: Statement; readonly parameters: readonly Parameter[] } {
  const call = prepareCall(root)
  const { text, slots } = render(sql`SELECT * FROM ${call.emit(call.shapeOf(input))} LIMIT 0`)
  return { statement: { name: null, text }, parameters: slots.map((slot) => slot.read(input)) }
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

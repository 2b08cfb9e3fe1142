import type { PlannedCall } from '../../../contract/plan/planned-call.ts'
import type { BindInput } from '../../../contract/slot.ts'
import type { Parameter, Statement } from '../../../contract/statement.ts'
import { render, sql } from '../../../engine/sql/fragment.ts'
import { PRIMITIVES } from '../primitives/primitives.ts'
import { callText } from './call.ts'

/**
 * Returns a query whose result columns are those of a mutation's function, with its parameters. It is run to learn the
 * names and types of the columns. `LIMIT 0` prevents the call of the function.
 */
export function describeCall(
  call: PlannedCall,
  input: BindInput,
): { readonly statement: Statement; readonly parameters: readonly Parameter[] } {
  const fragment = sql`SELECT * FROM ${callText(call, call.shapeOf(input))} LIMIT 0`
  const { text, slots } = render(fragment, PRIMITIVES.placeholder)
  return { statement: { name: null, text }, parameters: slots.map((slot) => slot.read(input)) }
}

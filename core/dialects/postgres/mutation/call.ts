import type { PlannedCall } from '../../../contract/plan/planned-call.ts'
import { passedBy } from '../../../engine/plan/write/write-call.ts'
import { EMPTY, identifier, join, parameter, qualified, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import { isPlaceColumn } from '../../../schema/place.ts'
import { cast } from '../primitives/types.ts'

/**
 * Writes the SQL call of a mutation's function: `"fn"("p_id" => $1::uuid)`.
 * @param shape key of the optional arguments that the request passes, from `call.shapeOf`; absent ones are omitted, so
 * that their defaults apply
 */
export function callText(call: PlannedCall, shape: string): SqlFragment {
  const passed = passedBy(call, shape).map(({ name, type, slot }) => {
    const value = isCastable(type) ? cast(parameter(slot), type) : parameter(slot)
    return call.named && name !== null ? sql`${identifier(name)} => ${value}` : value
  })
  const { schema, name } = call.function
  return sql`${qualified(schema, name)}(${passed.length === 0 ? EMPTY : join(passed, ', ')})`
}

/**
 * Tests whether a parameter can be cast to its type by name. The name of an enum, a composite or a PostGIS type lacks its schema, so the
 * function's signature decides about those.
 */
function isCastable(type: string | null): type is string {
  return type !== null && !isPlaceColumn(type) && /^_?[a-z][a-z0-9_]*$/.test(type)
}

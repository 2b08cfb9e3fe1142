import { type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { MutationModel } from '../../../schema/model.ts'
import type { ReturnForm } from '../../../schema/return-form.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import type { EntityPlan } from './entity.ts'
import { projectValue } from './project.ts'

/**
 * Plans the result of a mutation that returns a scalar or an enum (docs/guides/mutations.md#plain-results).
 * @param perRow the function returns one row for each item of the list
 */
export function planLeaf(operation: MutationModel, form: ReturnForm, perRow: boolean): EntityPlan {
  const { type, named } = operation
  const value = leafOf(operation, form)
  const of = perRow && type.kind === 'list' ? { name: operation.name, named, type: type.of } : operation
  return {
    data: projectValue(of, null, value),
    whole: null,
    columns: null,
    targets: [],
    document: sql`c.entity`,
    slot: null,
  }
}

/** `jsonb` over `m`. */
function leafOf({ named, type }: MutationModel, form: ReturnForm): SqlFragment {
  if (form === 'scalar' || form === 'rows' || named.kind !== 'scalar' || type.kind === 'list') return sql`m.entity`
  const { group, wire } = scalarOf(named)
  if (group === 'boolean') {
    return sql`CASE WHEN jsonb_typeof(m.entity) = 'boolean' THEN m.entity ELSE 'true'::jsonb END`
  }
  if (group === 'id' || wire === 'string') {
    const own = sql`CASE WHEN jsonb_typeof(m.entity) IN ('string', 'number') THEN m.entity END`
    return group === 'id' ? sql`coalesce(${own}, to_jsonb(m.svc_id))` : own
  }
  return sql`m.entity`
}

import type { FieldModel, ObjectType } from './model.ts'

/**
 * Finds the field of a mutation's payload type into which svc puts the written row: the only field that is a single
 * object, interface or union. `null`: there is none, or more than one.
 */
export function slotOf(type: ObjectType): FieldModel | null {
  const candidates = [...type.fields.values()].filter(({ named, type: ref }) => {
    if (ref.kind === 'list') return false
    return named.kind === 'object' ? named.source !== null : named.kind === 'interface' || named.kind === 'union'
  })
  return candidates.length === 1 ? candidates[0]! : null
}

import type { FieldModel, ObjectType } from './model.ts'

/** The one field of a payload type that holds the entity; `null` when none or several could. */
export function slotOf(type: ObjectType): FieldModel | null {
  const candidates = [...type.fields.values()].filter(({ named, type: ref }) => {
    if (ref.kind === 'list') return false
    return named.kind === 'object' ? named.source !== null : named.kind === 'interface' || named.kind === 'union'
  })
  return candidates.length === 1 ? candidates[0]! : null
}

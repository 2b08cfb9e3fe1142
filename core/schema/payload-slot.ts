import type { FieldModel, ObjectType } from './model.ts'

/** Returns the only field of a payload type that can hold the entity; `null` when there is none or more than one. */
export function slotOf(type: ObjectType): FieldModel | null {
  const candidates = [...type.fields.values()].filter(({ named, type: ref }) => {
    if (ref.kind === 'list') return false
    return named.kind === 'object' ? named.source !== null : named.kind === 'interface' || named.kind === 'union'
  })
  return candidates.length === 1 ? candidates[0]! : null
}

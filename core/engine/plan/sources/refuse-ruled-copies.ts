import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { MutationRoot, Selection } from '../../../contract/operation.ts'
import type { NamedType, ObjectType } from '../../../schema/model.ts'
import { slotOf } from '../../../schema/payload-slot.ts'
import { hasRules } from './type-rules.ts'

type IsRuled = (type: ObjectType) => boolean

/**
 * Rejects objects in a document whose type has rules: they are copies of rows, on which no rule can be enforced.
 * @param where the field, for the error message: `Card.book`
 * @throws SvcError INTERNAL_SERVER_ERROR
 */
export function refuseRuledCopy(named: NamedType, access: Access | null, where: string): void {
  const objects = named.kind === 'object' ? [named] : 'members' in named ? named.members : []
  for (const type of objects) if (hasRules(type, access ?? undefined)) throw ruledCopy(type, where)
}

/**
 * Rejects such objects in the result of a function. The entity is read again under the rules of its type; other objects in the result
 * cannot be read again.
 * @throws SvcError INTERNAL_SERVER_ERROR, before the function is called
 */
export function refuseRuledCopies({ operation, selection }: MutationRoot, isRuled: IsRuled): void {
  walk(selection, true)

  /** @param isEntity `true` if the object at this position is read again */
  function walk(here: Selection, isEntity: boolean): void {
    const members = here?.kind === 'object' ? [here] : here?.kind === 'abstract' ? [...here.possible.values()] : []
    for (const { type, fields, denied } of members) {
      if (denied !== undefined) continue
      if (!isEntity && isRuled(type)) throw ruledCopy(type, `the result of ${operation.wireName}`)
      // In a payload, this is the only field that holds the entity. It does not apply to a payload within a union.
      const slot =
        isEntity && here === selection && here?.kind === 'object' && type.source === null ? slotOf(type) : null
      for (const field of fields) {
        if (field.kind !== 'field' || field.field.read?.from === 'relation') continue
        walk(field.selection, field.field === slot)
      }
    }
  }
}

function ruledCopy({ name }: ObjectType, where: string): SvcError {
  return new SvcError(
    'INTERNAL_SERVER_ERROR',
    `${name} has rules for its rows, which cannot hold for a copy in a document (${where}). Make it a relation, or give the copy a type of its own.`,
  )
}

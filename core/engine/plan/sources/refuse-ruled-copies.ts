import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { MutationRoot, Selection } from '../../../contract/operation.ts'
import type { NamedType, ObjectType } from '../../../schema/model.ts'
import { slotOf } from '../../../schema/payload-slot.ts'
import { hasRules } from './type-rules.ts'

type IsRuled = (type: ObjectType) => boolean

/**
 * Throws if a selected object in a JSON document has a type with access rules. The object is a copy of a row, to which
 * the rules cannot be applied.
 * @param access restrictions of `authorize` hooks; `null`: none
 * @param where the field, for the error message: `Card.book`
 * @throws SvcError INTERNAL_SERVER_ERROR
 */
export function refuseRuledCopy(named: NamedType, access: Access | null, where: string): void {
  const objects = named.kind === 'object' ? [named] : 'members' in named ? named.members : []
  for (const type of objects) if (hasRules(type, access ?? undefined)) throw ruledCopy(type, where)
}

/**
 * Throws if the selected result of a mutation's function contains an object whose type has access rules. The written
 * row itself is allowed, because it is read again under the rules; other objects cannot be.
 * @param isRuled returns `true` if access rules restrict the rows of a type
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

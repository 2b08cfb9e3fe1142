import type { MutationModel, NamedType, ObjectType } from '../../../schema/model.ts'
import { slotOf } from '../../../schema/payload-slot.ts'

/**
 * The types that a row which the mutation writes may be of, as far as its result says: those with a source, where a row can
 * be read by its id. None for scalars, and for payloads without one field that holds the entity.
 */
export function writtenTypes({ named }: Pick<MutationModel, 'named'>): readonly ObjectType[] {
  return possibleTypes(named).filter((type) => type.source !== null && isKey(type))
}

function possibleTypes(named: NamedType): readonly ObjectType[] {
  switch (named.kind) {
    case 'object': {
      if (named.source !== null) return [named]
      const slot = slotOf(named)
      return slot === null ? [] : possibleTypes(slot.named)
    }
    case 'interface':
    case 'union':
      return named.members
    default:
      return []
  }
}

function isKey({ fields }: ObjectType): boolean {
  const id = fields.get('id')
  return id !== undefined && id.named.kind === 'scalar' && id.read !== null && id.read.from !== 'relation'
}

import type { NamedType } from '../../../schema/model.ts'
import { documentKeys } from '../rows/document-keys.ts'

/** Returns the keys that may contain the id in an entity from a function: those of the field `id`, whose column may have another name. */
export function idKeys(named: NamedType): readonly string[] {
  const types =
    named.kind === 'object' ? [named] : named.kind === 'interface' || named.kind === 'union' ? named.members : []
  const keys = types.flatMap(({ fields }) => {
    const id = fields.get('id')
    return id === undefined ? [] : documentKeys(id)
  })
  return [...new Set([...keys, 'id'])]
}

import type { NamedType } from '../../../schema/model.ts'
import { documentKeys } from '../rows/document-keys.ts'

/**
 * Returns the keys under which the JSON of a written row that a function returned may contain its id, in order of
 * preference.
 */
export function idKeys(named: NamedType): readonly string[] {
  const types =
    named.kind === 'object' ? [named] : named.kind === 'interface' || named.kind === 'union' ? named.members : []
  const keys = types.flatMap(({ fields }) => {
    const id = fields.get('id')
    return id === undefined ? [] : documentKeys(id)
  })
  return [...new Set([...keys, 'id'])]
}

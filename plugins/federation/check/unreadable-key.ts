import type { SchemaModel } from '../../../core/doors/plugin.ts'
import type { DeclaredKey, Owner, Owners } from './owners.ts'

/**
 * Checks whether the database can find rows of an entity type by a key.
 * @returns the problem as a sentence; `null`: it can, or another check reports the key
 */
export function unreadableKey(model: SchemaModel, owners: Owners, owner: Owner, key: DeclaredKey): string | null {
  const type = model.types.get(owner.name)
  if (type?.kind !== 'object' || key.fields === null) return null
  if (type.source === null) {
    return `Type "${owner.name}": it has no source, so that no representation of it can be found by the key "${key.text}". Give it sql_source, or say resolvable: false where another subgraph finds it.`
  }
  for (const path of owners.wirePaths(owner, key.fields)) {
    let at = type
    for (const name of path.split('.')) {
      const field = at.fields.get(name)
      if (field === undefined) break
      if (field.read === null) {
        return `Type "${owner.name}": "${name}" of the key "${key.text}" is not in the database. Add it to the view, or name its column.`
      }
      if (field.named.kind === 'object') at = field.named
      else if (field.named.kind === 'scalar' && field.named.base === 'JSON') {
        return `Type "${owner.name}": "${name}" of the key "${key.text}" is JSON, which is no single value. Take it out of the key.`
      }
    }
  }
  return null
}

import { toSnakeCase } from '../../../base/util/naming.ts'
import type { FieldModel } from '../../../schema/model.ts'

/**
 * Returns the keys under which a document may contain a field: the name of its column, the snake_case name, the wire name. Functions
 * return entities with any of these spellings.
 */
export function documentKeys(field: FieldModel): readonly string[] {
  const { read } = field
  const keys = [toSnakeCase(field.name), field.wireName]
  if (read?.from === 'column') keys.unshift(read.column)
  if (read?.from === 'document') keys.unshift(read.key)
  return [...new Set(keys)]
}

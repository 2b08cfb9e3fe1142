import { toSnakeCase } from '../../../base/util/naming.ts'
import type { FieldModel } from '../../../schema/model.ts'

/**
 * Returns the keys under which the JSON that a database function returned may contain a field, in order of preference:
 * its column, its name in snake_case, its name for clients.
 */
export function documentKeys(field: FieldModel): readonly string[] {
  const { read } = field
  const keys = [toSnakeCase(field.name), field.wireName]
  if (read?.from === 'column') keys.unshift(read.column)
  if (read?.from === 'document') keys.unshift(read.key)
  return [...new Set(keys)]
}

import { toSnakeCase } from '../../../base/util/naming.ts'
import type { FieldModel } from '../../../schema/model.ts'

/**
 * The keys under which a document may hold a field: the column of a row, the snake_case name, the wire name. Entities
 * that functions build are spelled either way.
 */
export function documentKeys(field: FieldModel): readonly string[] {
  const { read } = field
  const keys = [toSnakeCase(field.name), field.wireName]
  if (read?.from === 'column') keys.unshift(read.column)
  if (read?.from === 'document') keys.unshift(read.key)
  return [...new Set(keys)]
}

import { toSnakeCase } from '../../../base/util/naming.ts'
import type { Selection } from '../../../contract/operation.ts'
import type { FieldModel, ObjectType } from '../../../schema/model.ts'

/** Members of `mutation_response` that a payload type may declare as fields, in snake_case. */
export const PARTS: ReadonlySet<string> = new Set([
  'updated_fields',
  'cascade',
  'status',
  'message',
  'entity_id',
  'entity_type',
  'metadata',
])
/** Members that fields of all types can show. */
const ALWAYS_PARTS = new Set(['updated_fields', 'cascade'])

/**
 * Tests whether a field of a mutation's result is a member of `mutation_response` (`status`, `message` and others),
 * which is used if the returned entity does not contain the field.
 */
export function isPart(field: FieldModel, type: ObjectType): boolean {
  const name = toSnakeCase(field.name)
  if (type.source === null) return PARTS.has(name)
  return ALWAYS_PARTS.has(name) && field.read === null
}

/**
 * Returns the response keys of selected `cascade` fields, because the keys inside their JSON are converted to camelCase
 * for clients.
 */
export function cascadeKeys(selection: Selection): readonly string[] {
  const objects =
    selection?.kind === 'object' ? [selection] : selection?.kind === 'abstract' ? [...selection.possible.values()] : []
  return objects.flatMap(({ type, fields }) =>
    fields
      .filter((field) => field.kind === 'field' && field.selection === null && isCascade(field.field, type))
      .map((field) => field.responseKey),
  )
}

function isCascade(field: FieldModel, type: ObjectType): boolean {
  return toSnakeCase(field.name) === 'cascade' && isPart(field, type)
}

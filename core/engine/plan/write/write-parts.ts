import { toSnakeCase } from '../../../base/util/naming.ts'
import type { Selection } from '../../../contract/operation.ts'
import type { FieldModel, ObjectType } from '../../../schema/model.ts'

/** Members of the record that a payload type may declare as fields. */
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
 * Tests whether a field of the result takes its value from the record of the function (`mutation_response`) when the
 * document lacks the field.
 */
export function isPart(field: FieldModel, type: ObjectType): boolean {
  const name = toSnakeCase(field.name)
  if (type.source === null) return PARTS.has(name)
  return ALWAYS_PARTS.has(name) && field.read === null
}

/**
 * Returns the response keys of `cascade` fields. The keys inside their values are converted to camelCase for clients.
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

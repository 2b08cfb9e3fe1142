import type { FieldSelection } from '../contract/operation.ts'

/**
 * Tests whether the value of a selected field has to be read from the view or table of its type, because the result of
 * a mutation's function does not contain it: an aggregate, rows of a relation at any depth, or a field that an access
 * rule hides in some rows.
 */
export function needsSource(field: FieldSelection): boolean {
  if (field.kind === 'aggregate') return true
  if (field.kind !== 'field') return false
  if (field.field.read?.from === 'relation' || field.unless !== undefined) return true
  const { selection } = field
  if (selection === null) return false
  if (selection.kind === 'object') return selection.fields.some(needsSource)
  if (selection.kind !== 'abstract') return true
  return [...selection.possible.values()].some((member) => member.fields.some(needsSource))
}

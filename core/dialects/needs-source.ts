import type { FieldSelection } from '../contract/operation.ts'

/**
 * Tests whether a selected field needs its source: it contains rows of another source at any depth, or is hidden in some rows. The result
 * of a function does not contain such values.
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

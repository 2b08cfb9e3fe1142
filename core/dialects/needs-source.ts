import type { FieldSelection } from '../contract/operation.ts'

/** Is it read from rows of another source, at any depth below, or hidden in some rows? What a function gives does not have those. */
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

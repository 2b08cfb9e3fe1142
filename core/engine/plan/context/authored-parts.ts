import type { Slot } from '../../../contract/slot.ts'
import { splitRowFilter } from '../../../schema/row-filter.ts'

/**
 * Splits SQL that the author wrote in the schema (`row_filter`) at its `{name}` placeholders.
 * @param slotOf returns the parameter of a placeholder by its name
 */
export function parseAuthored(text: string, slotOf: (name: string) => Slot): readonly (string | Slot)[] {
  return splitRowFilter(text).map((part) => ('sql' in part ? part.sql : slotOf(part.placeholder)))
}

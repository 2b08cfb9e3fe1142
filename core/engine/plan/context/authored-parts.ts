import type { Slot } from '../../../contract/slot.ts'
import { splitRowFilter } from '../../../schema/row-filter.ts'

/** SQL written by the schema's author (`row_filter`): its `{name}` placeholders become slots. */
export function parseAuthored(text: string, slotOf: (name: string) => Slot): readonly (string | Slot)[] {
  return splitRowFilter(text).map((part) => ('sql' in part ? part.sql : slotOf(part.placeholder)))
}

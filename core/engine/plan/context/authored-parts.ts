import type { Slot } from '../../../contract/slot.ts'
import { splitRowFilter } from '../../../schema/row-filter.ts'

/** Parses SQL of the schema's author (`row_filter`). Its `{name}` placeholders become slots. */
export function parseAuthored(text: string, slotOf: (name: string) => Slot): readonly (string | Slot)[] {
  return splitRowFilter(text).map((part) => ('sql' in part ? part.sql : slotOf(part.placeholder)))
}

import type { Slot } from '../front/slot.ts'

/**
 * SQL written by the schema's author (`row_filter`): its `{name}` placeholders become slots. Placeholders inside
 * quotes are text of the author and stay.
 */
export function parseAuthored(text: string, slotOf: (name: string) => Slot): readonly (string | Slot)[] {
  const parts: (string | Slot)[] = []
  const pattern = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\{([A-Za-z_][\w.]*)\}/g
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match[1] === undefined) continue
    parts.push(text.slice(end, match.index), slotOf(match[1]))
    end = match.index + match[0].length
  }
  parts.push(text.slice(end))
  return parts
}

/** Position of a JSON list in a text, recorded by the writer of the text. A search for it would take as long as writing the text. */
export interface WrittenList {
  /** Index of the `[` of the list. */
  readonly at: number
  /** Number of items, at least 1. */
  readonly count: number
  /** Index of the comma before the last item; of the `[` when the list has only one item. */
  readonly beforeLast: number
  /** Index of the `]` of the list. */
  readonly end: number
}

/**
 * Converts the positions of a list to positions in a substring; `null`: the substring does not contain the whole list.
 */
export function listInPart(list: WrittenList | null, start: number, end: number): WrittenList | null {
  if (list === null || list.at < start || list.end >= end) return null
  const { at, count, beforeLast, end: close } = list
  return { at: at - start, count, beforeLast: beforeLast - start, end: close - start }
}

/**
 * Position of a JSON list in a result text. The code that writes the text records it, because searching for the list
 * would take as long as writing the text.
 */
export interface WrittenList {
  /** Index of the opening `[` in the text. */
  readonly at: number
  /** Number of items, at least 1. */
  readonly count: number
  /** Index of the comma before the last item; of the opening `[` when the list has only one item. */
  readonly beforeLast: number
  /** Index of the closing `]` in the text. */
  readonly end: number
}

/**
 * Converts the position of a list to its position in the substring from `start` up to `end` (exclusive).
 * @returns `null` when there is no list, or the substring does not contain all of it
 */
export function listInPart(list: WrittenList | null, start: number, end: number): WrittenList | null {
  if (list === null || list.at < start || list.end >= end) return null
  const { at, count, beforeLast, end: close } = list
  return { at: at - start, count, beforeLast: beforeLast - start, end: close - start }
}

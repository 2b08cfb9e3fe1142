/** Where a JSON list stands in a text, as its writer knows it: looking for it takes as long as writing it. */
export interface WrittenList {
  /** Of its `[`. */
  readonly at: number
  /** Not 0. */
  readonly count: number
  /** Of the comma before its last item; of the `[` where that is the only one. */
  readonly beforeLast: number
  /** Of its `]`. */
  readonly end: number
}

/** The list as it stands in a part of its text; `null` where the part has not the whole of it. */
export function listInPart(list: WrittenList | null, start: number, end: number): WrittenList | null {
  if (list === null || list.at < start || list.end >= end) return null
  const { at, count, beforeLast, end: close } = list
  return { at: at - start, count, beforeLast: beforeLast - start, end: close - start }
}

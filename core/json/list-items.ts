import { skipSpace, skipValue } from './json-text.ts'

/** Where the items of a JSON list stand in its text. */
export interface ListItems {
  /** The number of all items that were counted. */
  readonly count: number
  /** End of the last one that was counted, behind `[` where there is none. */
  readonly end: number
  /** Are there more? */
  readonly more: boolean
}

const OPEN = 91
const CLOSE = 93
const COMMA = 44

/**
 * Counts the items of a list without making anything of them.
 * @param at index of its `[`
 * @param most so many, and no more, are looked at
 * @returns `null`: it is no list
 */
export function countItems(text: string, at: number, most: number): ListItems | null {
  let next = skipSpace(text, at)
  if (text.charCodeAt(next) !== OPEN) return null
  next = skipSpace(text, next + 1)
  let end = next
  let count = 0
  while (text.charCodeAt(next) !== CLOSE) {
    if (count === most) return { count, end, more: true }
    end = skipValue(text, next)
    count++
    next = skipSpace(text, end)
    if (text.charCodeAt(next) === COMMA) next = skipSpace(text, next + 1)
  }
  return { count, end, more: false }
}

/**
 * The same of a list of objects that hold no others, and has more than `most`: by what stands between two of them, which is
 * found many times faster than each value is gone through. In JSON `{"` stands nowhere else, since a quote within a text is escaped.
 * @param between `},{"id":`, of the key that each begins with
 * @returns `null`: there are not that many, or they are written otherwise
 */
export function skipItems(text: string, at: number, most: number, between: string): ListItems | null {
  if (most < 1) return null
  let next = at
  for (let n = 0; n < most; n++) {
    next = text.indexOf(between, next + 1)
    if (next === -1) return null
  }
  return { count: most, end: next + 1, more: true }
}

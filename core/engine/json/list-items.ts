import { skipSpace, skipValue } from './json-text.ts'

/** Number of items in a JSON list that were counted in its text, and where the counting ended. */
export interface ListItems {
  /** Number of counted items, at most the requested maximum. */
  readonly count: number
  /** Index after the last counted item; for an empty list, the index after `[`. */
  readonly end: number
  /** `true`: the list has more items than the requested maximum. */
  readonly more: boolean
}

const OPEN = 91
const CLOSE = 93
const COMMA = 44

/**
 * Counts the items of a JSON list without parsing them.
 * @param at index of the `[` in the text, or of space before it
 * @param most maximum number of items to count
 * @returns `null`: there is no list at `at`
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
 * Finds the end of the first `most` items in a JSON list of flat objects that has more. It searches for the text
 * between two objects, which is many times faster than parsing. The text cannot occur in a value, because quotes in
 * strings are escaped.
 * @param at index of the `[` in the text
 * @param between the text between two objects, with the first key: `},{"id":`
 * @returns `null`: the list has at most `most` objects, or is formatted in another way
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

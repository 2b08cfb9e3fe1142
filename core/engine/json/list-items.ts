import { skipSpace, skipValue } from './json-text.ts'

/** Number and end of the items of a JSON list in a text. */
export interface ListItems {
  /** Number of counted items. */
  readonly count: number
  /** End of the last counted item; without items, the index after `[`. */
  readonly end: number
  /** `true` if the list has more items than were counted. */
  readonly more: boolean
}

const OPEN = 91
const CLOSE = 93
const COMMA = 44

/**
 * Counts the items of a list without parsing them.
 * @param at index of the `[`
 * @param most maximum number of items to count
 * @returns `null` when there is no list at `at`
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
 * Counts the items of a list of flat objects with more than `most` items. It searches for the text between two objects,
 * which is many times faster than skipping each value. The text cannot occur in a value, since quotes in texts are escaped.
 * @param between the text between two objects, with the first key: `},{"id":`
 * @returns `null` when there are not more than `most` objects, or they are written in another way
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

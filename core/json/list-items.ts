import { skipSpace, skipValue } from './json-text.ts'

/** Where the items of a JSON list stand in its text. */
export interface ListItems {
  /** Of all that were counted. */
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

import { parseJson } from './exact-number.ts'

/**
 * Deepest nesting of JSON from a client, above the 500 levels of a value of type JSON and what a request lays around it.
 * `JSON.parse` reads any depth, but a recursive walk behind it (coercion, `JSON.stringify`) overflows the stack at some
 * thousand levels.
 */
export const DEEPEST_JSON = 600

const QUOTE = 34
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Parses JSON that a client sent, as {@link parseJson}.
 * @param zeros keeps the zeros at the end of a fraction, for values that are stored with the digits they are sent with
 * @throws SyntaxError when the text is not JSON, or is nested deeper than {@link DEEPEST_JSON} levels
 */
export function parseClientJson(text: string, zeros = false): unknown {
  // A level takes two characters at least, so most requests are too short to be searched.
  if (text.length > 2 * DEEPEST_JSON && isDeeper(text, DEEPEST_JSON)) {
    throw new SyntaxError(`it is nested deeper than ${DEEPEST_JSON} levels`)
  }
  return parseJson(text, zeros)
}

function isDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at === -1) return false
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > most) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}

/** @param start of the opening quote @returns the closing quote; -1 = there is none, so the text is not JSON */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** An odd number of backslashes in front escapes the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

import { parseJson } from './exact-number.ts'

/**
 * Maximum nesting of JSON from a client: 500 levels for a value of type JSON, and some more for the request around it.
 * `JSON.parse` accepts any depth, but later recursion (coercion, `JSON.stringify`) overflows the stack at some thousand
 * levels.
 */
export const DEEPEST_JSON = 600

const QUOTE = 34
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Parses JSON from a client. A number that a double cannot represent exactly becomes an `ExactNumber`, as in {@link
 * parseJson}.
 * @param zeros `true`: a fraction with trailing zeros also becomes an `ExactNumber`, for values that are stored with
 *   all their digits
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

/** Returns the index of the closing quote of a string; -1: there is none, so the text is not JSON. @param start index of the opening quote */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** Tests whether a character is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

/**
 * Scans JSON text without decoding it, so that a number that no JS number can represent (`1e400`, `1.10`, 2^63) is passed on unchanged.
 * Only for text that the database wrote, which is assumed to be well-formed.
 */

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Returns the index of the first character that is not white space, starting at `at`. */
export function skipSpace(text: string, at: number): number {
  let index = at
  while (index < text.length && text.charCodeAt(index) <= 32) index++
  return index
}

/** Returns the index after the JSON string that begins at `at`. */
export function skipString(text: string, at: number): number {
  // Most strings have no escapes, and a search for one character is many times faster than a loop.
  const end = text.indexOf('"', at + 1)
  if (end !== -1 && text.charCodeAt(end - 1) !== BACKSLASH) return end + 1
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === BACKSLASH) index++
    else if (code === QUOTE) return index + 1
  }
  return text.length
}

/** Returns the index after the JSON value that begins at `at`. */
export function skipValue(text: string, at: number): number {
  let depth = 0
  let index = at
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = skipString(text, index)
      if (depth === 0) return index
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) return index
      if (--depth === 0) return index + 1
    } else if (depth === 0 && (code === COMMA || code <= 32)) return index
    index++
  }
  return index
}

/** Tests whether a well-formed JSON text is an object. */
export function isObjectText(text: string): boolean {
  return text.charCodeAt(skipSpace(text, 0)) === OPEN_BRACE
}

/** Tests whether a well-formed JSON text is an array. */
export function isArrayText(text: string): boolean {
  return text.charCodeAt(skipSpace(text, 0)) === OPEN_BRACKET
}

/** Splits a JSON object into its members, in order. Keys are decoded; values are JSON texts. */
export function readMembers(text: string): Map<string, string> {
  const members = new Map<string, string>()
  let index = skipSpace(text, skipSpace(text, 0) + 1)
  while (index < text.length && text.charCodeAt(index) !== CLOSE_BRACE) {
    const keyEnd = skipString(text, index)
    const key = JSON.parse(text.slice(index, keyEnd)) as string
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const to = skipValue(text, from)
    members.set(key, text.slice(from, to))
    index = skipSpace(text, to)
    if (text.charCodeAt(index) === COMMA) index = skipSpace(text, index + 1)
  }
  return members
}

/** Splits a JSON array into its items, as JSON texts. */
export function readItems(text: string): string[] {
  const items: string[] = []
  let index = skipSpace(text, skipSpace(text, 0) + 1)
  while (index < text.length && text.charCodeAt(index) !== CLOSE_BRACKET) {
    const to = skipValue(text, index)
    items.push(text.slice(index, to))
    index = skipSpace(text, to)
    if (text.charCodeAt(index) === COMMA) index = skipSpace(text, index + 1)
  }
  return items
}

/** Writes a JSON object from its members, whose values are JSON texts. It is the reverse of {@link readMembers}. */
export function writeMembers(members: Iterable<readonly [key: string, text: string]>): string {
  let text = ''
  for (const [key, value] of members) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${value}`
  return `{${text}}`
}

/** Decodes a JSON text that is a string; `null` for any other text. */
export function stringOf(text: string | undefined): string | null {
  return text !== undefined && text.charCodeAt(0) === QUOTE ? (JSON.parse(text) as string) : null
}

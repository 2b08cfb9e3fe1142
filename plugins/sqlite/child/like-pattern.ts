/**
 * LIKE as PostgreSQL has it: `%` any text, `_` any character, a backslash takes the next one literally. In time that grows
 * with the text and the pattern, whatever they are; a regular expression would try each `%` against each place.
 */
export interface LikePattern {
  test(value: string): boolean
}

/** What stands between two `%`: characters, `null` for any one. */
type Part = readonly (string | null)[]

export function compileLike(pattern: string, anyCase: boolean): LikePattern {
  const parts = partsOf(anyCase ? foldCase(pattern) : pattern)
  const test = parts.some((part) => part.includes(null))
    ? byCharacters(parts)
    : byTexts(parts.map((part) => part.join('')))
  return { test: anyCase ? (value) => test(foldCase(value)) : test }
}

function partsOf(pattern: string): readonly Part[] {
  const parts: (string | null)[][] = [[]]
  let isEscaped = false
  for (const char of pattern) {
    if (isEscaped || (char !== '\\' && char !== '%' && char !== '_')) {
      parts.at(-1)!.push(char)
      isEscaped = false
    } else if (char === '\\') isEscaped = true
    else if (char === '_') parts.at(-1)!.push(null)
    else parts.push([])
  }
  // A lone backslash at the end stands for itself.
  if (isEscaped) parts.at(-1)!.push('\\')
  // Of several % in a row one is enough.
  return parts.filter((part, index) => part.length > 0 || index === 0 || index === parts.length - 1)
}

/** The first part begins the text, the last one ends it; each between them stands where it is found first. */
function byTexts(parts: readonly string[]): (value: string) => boolean {
  const first = parts[0]!
  if (parts.length === 1) return (value) => value === first
  const last = parts.at(-1)!
  const between = parts.slice(1, -1)
  return (value) => {
    if (!value.startsWith(first)) return false
    let from = first.length
    for (const part of between) {
      const at = value.indexOf(part, from)
      if (at === -1) return false
      from = at + part.length
    }
    return value.length - last.length >= from && value.endsWith(last)
  }
}

function byCharacters(parts: readonly Part[]): (value: string) => boolean {
  const first = parts[0]!
  const last = parts.at(-1)!
  const between = parts.slice(1, -1)
  return (value) => {
    const text = [...value]
    if (!standsAt(text, 0, first)) return false
    if (parts.length === 1) return text.length === first.length
    let from = first.length
    for (const part of between) {
      while (!standsAt(text, from, part)) if (++from + part.length > text.length) return false
      from += part.length
    }
    const end = text.length - last.length
    return end >= from && standsAt(text, end, last)
  }
}

function standsAt(text: readonly string[], at: number, part: Part): boolean {
  return at + part.length <= text.length && part.every((char, index) => char === null || char === text[at + index])
}

const ASCII = /^[\0-\x7f]*$/

/** Each character by itself, as regular expressions fold them: the text keeps its length in characters. */
function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) folded += foldCharacter(char)
  return folded
}

function foldCharacter(char: string): string {
  const upper = char.toUpperCase()
  const lower = (isOne(upper) ? upper : char).toLowerCase()
  // The i without a dot is a letter of its own.
  return isOne(lower) && char !== 'ı' ? lower : char
}

function isOne(text: string): boolean {
  return text.length === (text.codePointAt(0)! > 0xffff ? 2 : 1)
}

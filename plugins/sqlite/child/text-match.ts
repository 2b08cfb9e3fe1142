// The child process imports nothing else from core, which would make its start several times as slow.
import { compileAutomaton } from '../../../core/expression/pattern/automaton.ts'

/** Number of compiled patterns in the cache: more than one statement uses for each row. */
const MOST = 32
const ASCII = /^[\0-\x7f]*$/

type Test = (value: string) => boolean

/** A dot matches any character, as in PostgreSQL; ^ and $ match the ends of the text. */
const regex = recently((pattern) => new RegExp(pattern, 'su'))
const search = [recently(linear('su')), recently(linear('isu'))] as const
const like = [
  recently((pattern) => compileLike(pattern, false)),
  recently((pattern) => compileLike(pattern, true)),
] as const

function linear(flags: 'su' | 'isu'): (pattern: string) => Test {
  return (pattern) => {
    try {
      return compileAutomaton(pattern, flags)
    } catch (error) {
      throw new SyntaxError(`Invalid regular expression: ${error instanceof Error ? error.message : error}`)
    }
  }
}

/**
 * Implements the SQL operator REGEXP for SQL of schema authors. Patterns are JavaScript regular expressions with the
 * flag `u`.
 * @throws SyntaxError for an invalid pattern
 */
export function matchesRegex(pattern: string, value: string): boolean {
  return regex(pattern).test(value)
}

/**
 * Tests a text with the regular expression of a client. Back references and look-behind are not allowed, so that the
 * time only grows with the length of the text.
 * @param anyCase `true`: ignore case
 * @throws SyntaxError for an invalid pattern
 */
export function matchesSearch(pattern: string, value: string, anyCase: boolean): boolean {
  return search[anyCase ? 1 : 0](pattern)(value)
}

/**
 * Tests a text with a pattern of LIKE or ILIKE, with the rules of PostgreSQL.
 * @param anyCase `true`: ignore case, as ILIKE does
 */
export function matchesLike(pattern: string, value: string, anyCase: boolean): boolean {
  return like[anyCase ? 1 : 0](pattern).test(value)
}

/** Caches the results of `make` for the most recent texts. */
function recently<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    const oldest = known.keys().next()
    if (known.size >= MOST && oldest.done !== true) known.delete(oldest.value)
    known.set(text, made)
    return made
  }
}

interface LikePattern {
  test(value: string): boolean
}

/** The characters between two `%`; `null` = any character. */
type Part = readonly (string | null)[]

/**
 * Compiles a LIKE pattern of PostgreSQL: `%` matches any text, `_` any character, a backslash escapes the next character. The time of a
 * match grows with the lengths of text and pattern only; a regular expression would try each `%` at each position.
 */
function compileLike(pattern: string, anyCase: boolean): LikePattern {
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
  // Several consecutive % are equivalent to one.
  return parts.filter((part, index) => part.length > 0 || index === 0 || index === parts.length - 1)
}

/** Matches the first part at the start, the last one at the end, and each part between at its first occurrence. */
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

/** Folds each character by itself, as regular expressions do, so that the number of characters stays the same. */
function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) folded += foldCharacter(char)
  return folded
}

function foldCharacter(char: string): string {
  const upper = char.toUpperCase()
  const lower = (isOne(upper) ? upper : char).toLowerCase()
  // The dotless i is a separate letter.
  return isOne(lower) && char !== 'ı' ? lower : char
}

function isOne(text: string): boolean {
  return text.length === (text.codePointAt(0)! > 0xffff ? 2 : 1)
}

import { costOfCharacter, costOfChoice, costOfRepeat, costOfSequence, NOTHING, type RegexCost } from './regex-cost.ts'

const MOST_BYTES = 1000
/**
 * Limit of transitions. PostgreSQL builds the worst automaton of this size in 50 ms, and one forty times as large in 18
 * seconds.
 */
const MOST_ARROWS = 50_000
/** Limit of characters that lookaround may read at each character of a text. */
const MOST_AHEAD = 255

/**
 * Checks a regular expression from a client before it is sent to the database: matching must take time linear in the
 * text, and the automaton must be small (docs/guides/query.md#filters). Only the syntax that PostgreSQL and JavaScript
 * share is parsed; other syntax is left to the database.
 * @returns the pattern, unchanged
 * @throws Error whose message describes the problem
 */
export function convertRegex(value: unknown): string {
  const pattern = String(value)
  if (Buffer.byteLength(pattern) > MOST_BYTES) {
    throw new Error(`the regular expression is longer than ${MOST_BYTES} bytes`)
  }
  if (pattern.startsWith('***')) {
    throw new Error('the regular expression begins with ***; _contains looks for a text literally')
  }
  const reader: Reader = {
    pattern,
    at: 0,
    kinds: new Set(pattern).size + 1,
    ahead: 0,
    within: 'none',
  }
  readOptions(reader)
  const cost = readChoice(reader).cost
  if (reader.at < pattern.length) throw new Error('the regular expression has a ) without its (')
  if (cost.arrows > MOST_ARROWS) throw new Error(TOO_LARGE)
  return pattern
}

const NESTED =
  'the regular expression repeats a group that repeats something itself, such as (a+)+; write it without nesting'
const TOO_LARGE =
  'the regular expression is too large once its repetitions are written out, such as (a?){250}; use smaller bounds'
const BACK =
  'the regular expression refers back to a group, such as (a)\\1, which can take exponential time; write the text out'
const AHEAD = `the regular expression looks ahead or behind for more than ${MOST_AHEAD} characters at each place; give what it looks for bounds, or put it behind a ^ at the start`

interface Reader {
  readonly pattern: string
  at: number
  /** Upper bound of the number of character classes in the pattern. */
  readonly kinds: number
  /** Number of characters that its lookaround reads at each position. */
  ahead: number
  within: 'none' | 'lookaround'
}

/** A part of the expression, and whether it contains a repetition. */
interface Part {
  readonly cost: RegexCost
  readonly repeats: boolean
}

const OPTIONS = /^\(\?([a-z]+)\)/
/** Options that change the syntax, so that this parser would not read the same expression as the database. */
const OTHER_SYNTAX = /[beqx]/

/** Reads PostgreSQL's options at the start: `(?i)`. */
function readOptions(reader: Reader): void {
  const options = OPTIONS.exec(reader.pattern)
  if (options === null) return
  const other = OTHER_SYNTAX.exec(options[1]!)
  if (other !== null) throw new Error(`the regular expression has the option "${other[0]}", which is another syntax`)
  reader.at = options[0].length
}

function readChoice(reader: Reader): Part {
  let { cost, repeats } = readSequence(reader)
  while (reader.pattern[reader.at] === '|') {
    reader.at++
    const next = readSequence(reader)
    cost = costOfChoice(cost, next.cost)
    repeats ||= next.repeats
  }
  return { cost, repeats }
}

function readSequence(reader: Reader): Part {
  const { pattern } = reader
  let cost = NOTHING
  let repeats = false
  while (reader.at < pattern.length && pattern[reader.at] !== '|' && pattern[reader.at] !== ')') {
    const part = readRepeat(reader, readAtom(reader))
    cost = costOfSequence(cost, part.cost)
    repeats ||= part.repeats
  }
  return { cost, repeats }
}

const BOUNDS = /\{(\d{1,9})(,?)(\d{0,9})\}/y

/** Reads a quantifier. `?`, `{0,1}` and `{1}` do not repeat. */
function readRepeat(reader: Reader, part: Part): Part {
  const bounds = readBounds(reader)
  if (bounds === null) return part
  const [least, most] = bounds
  if (most > 1 && part.repeats) throw new Error(NESTED)
  const cost = costOfRepeat(part.cost, least, most)
  if (cost.arrows > MOST_ARROWS) throw new Error(TOO_LARGE)
  // A lazy quantifier matches the same texts.
  if (reader.pattern[reader.at] === '?') reader.at++
  return { cost, repeats: part.repeats || most > 1 }
}

function readBounds(reader: Reader): readonly [least: number, most: number] | null {
  const char = reader.pattern[reader.at]
  if (char === '*' || char === '+' || char === '?') {
    reader.at++
    return [char === '+' ? 1 : 0, char === '?' ? 1 : Number.POSITIVE_INFINITY]
  }
  BOUNDS.lastIndex = reader.at
  const bounds = BOUNDS.exec(reader.pattern)
  if (bounds === null) return null
  reader.at += bounds[0].length
  const least = Number(bounds[1])
  return [least, bounds[2] === '' ? least : bounds[3] === '' ? Number.POSITIVE_INFINITY : Number(bounds[3])]
}

function readAtom(reader: Reader): Part {
  const { pattern, kinds } = reader
  const char = String.fromCodePoint(pattern.codePointAt(reader.at)!)
  switch (char) {
    case '(':
      return readGroup(reader)
    case '[':
      reader.at = endOfClass(pattern, reader.at) + 1
      return { cost: costOfCharacter(kinds), repeats: false }
    case '\\':
      return readEscape(reader)
    case '^':
    case '$':
      reader.at++
      return { cost: NOTHING, repeats: false }
    default:
      reader.at += char.length
      return { cost: costOfCharacter(char === '.' ? kinds : 1), repeats: false }
  }
}

/** Start of a group: `(?:`, `(?=`, `(?!`, `(?<=`, `(?<!`, and JavaScript's `(?<name>`. */
const GROUP = /\((?:\?(?:(<?[=!])|:|<[^=!>][^>]*>)|(?!\?))/y

function readGroup(reader: Reader): Part {
  const start = reader.at
  GROUP.lastIndex = start
  const group = GROUP.exec(reader.pattern)
  if (group === null) {
    throw new Error(
      'the regular expression has a group of an unknown kind; there are ( … ), (?: … ), (?= … ) and (?! … )',
    )
  }
  reader.at += group[0].length
  const part = group[1] === undefined ? readChoice(reader) : readLookaround(reader, start)
  if (reader.pattern[reader.at] !== ')') throw new Error('the regular expression has a ( without its )')
  reader.at++
  return part
}

/** Reads a lookaround. The database evaluates it at each character of the text, unless it is anchored to the start. */
function readLookaround(reader: Reader, start: number): Part {
  if (reader.within === 'lookaround') {
    throw new Error('the regular expression looks ahead or behind within what it looks for; write it without nesting')
  }
  reader.within = 'lookaround'
  const { cost, repeats } = readChoice(reader)
  reader.within = 'none'
  if (!isAtStart(reader.pattern, start)) reader.ahead += cost.reach
  if (reader.ahead > MOST_AHEAD) throw new Error(AHEAD)
  return { cost: { ...NOTHING, arrows: cost.arrows }, repeats }
}

/** Tests for a position after `^`, or after lookaround that follows `^`. */
function isAtStart(pattern: string, at: number): boolean {
  return /^\^(?:\(\?[=!][^()|]*\))*$/.test(pattern.slice(0, at))
}

/** An escape with all its characters: a quantifier after `\u{1F600}` repeats that character. */
const ESCAPE = /\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]+|c.|.)/suy
/** Escapes that match a position in the text, not a character. */
const PLACES = new Set('AbBmMyYZ')

function readEscape(reader: Reader): Part {
  ESCAPE.lastIndex = reader.at
  const text = ESCAPE.exec(reader.pattern)?.[0]
  if (text === undefined) throw new Error('the regular expression ends with a lone backslash')
  const letter = text[1]!
  if (letter === 'k' || (letter >= '1' && letter <= '9')) throw new Error(BACK)
  reader.at += text.length
  return { cost: PLACES.has(letter) ? NOTHING : costOfCharacter(reader.kinds), repeats: false }
}

/**
 * Returns the index of the `]` that closes a class. `[]a]` and `[^]a]` contain a bracket, `[[:alpha:]]` a named class.
 */
function endOfClass(pattern: string, start: number): number {
  let index = start + 1
  if (pattern[index] === '^') index += 1
  if (pattern[index] === ']') index += 1
  while (index < pattern.length) {
    const char = pattern[index]
    if (char === ']') return index
    if (char === '\\') index += 1
    else if (char === '[' && /[:.=]/.test(pattern[index + 1] ?? '')) {
      const close = pattern.indexOf(`${pattern[index + 1]}]`, index + 2)
      if (close === -1) break
      index = close + 1
    }
    index += 1
  }
  throw new Error('the regular expression has a [ without its ]')
}

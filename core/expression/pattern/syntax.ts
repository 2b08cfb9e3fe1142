/** Node in the syntax tree of a regular expression. Groups are not kept, because a match only has to be found. */
export type PatternNode =
  /** Matches one character. */
  | { readonly kind: 'character'; readonly accepts: (codePoint: number) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  /** Repetition; `most: null` = no upper bound. */
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly least: number; readonly most: number | null }
  | { readonly kind: 'edge'; readonly edge: Edge }
  /** `(?=…)`, `(?!…)` */
  | { readonly kind: 'ahead'; readonly node: PatternNode; readonly wanted: boolean }

export type Edge = 'start' | 'end' | 'word' | 'no-word'

/**
 * Flags of a regular expression in JavaScript: `u`: Unicode; `s`: a dot also matches line breaks; `i`: ignores case.
 */
export type PatternFlags = 'u' | 'su' | 'isu'

/**
 * Parses a regular expression in the syntax of JavaScript (flag `u`) to a syntax tree.
 * @throws Error for a syntax error, or for a construct that cannot be matched in linear time
 */
export function parsePattern(source: string, flags: PatternFlags = 'u'): PatternNode {
  // The runtime checks the syntax; this parser only needs the structure.
  try {
    new RegExp(source, flags)
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)
    throw new Error(`${message}${wayOut(source, message)}`)
  }
  const reader: Reader = { source, flags, at: 0 }
  return readChoice(reader)
}

const NO_FLAGS = 'There are no flags here: write what they mean, [Aa] say'

/** Suggests the supported notation for syntax of other regex engines. */
function wayOut(source: string, message: string): string {
  if (/\(\?[a-z-]+[):]/i.test(source)) return `. ${NO_FLAGS}`
  if (source.includes('\\A') || /\\z/i.test(source)) return '. Write ^ for the beginning and $ for the end'
  if (message.endsWith('Invalid escape'))
    return '. No other signs than these are escaped: ^ $ \\ . * + ? ( ) [ ] { } | /, and - in brackets'
  return ''
}

interface Reader {
  readonly source: string
  readonly flags: PatternFlags
  at: number
}

function readChoice(reader: Reader): PatternNode {
  const branches = [readSequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at++
    branches.push(readSequence(reader))
  }
  return branches.length === 1 ? branches[0]! : { kind: 'choice', branches }
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = []
  while (reader.at < reader.source.length && reader.source[reader.at] !== '|' && reader.source[reader.at] !== ')') {
    parts.push(readRepeat(reader, readAtom(reader)))
  }
  return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
}

const BOUNDS = /\{(\d+)(?:(,)(\d*))?\}/y

function readRepeat(reader: Reader, node: PatternNode): PatternNode {
  const bounds = readBounds(reader)
  if (bounds === null) return node
  // Greedy and lazy quantifiers match the same texts.
  if (reader.source[reader.at] === '?') reader.at++
  return { kind: 'repeat', node, ...bounds }
}

function readBounds(reader: Reader): { least: number; most: number | null } | null {
  const char = reader.source[reader.at]
  if (char === '{') {
    BOUNDS.lastIndex = reader.at
    const match = BOUNDS.exec(reader.source)!
    reader.at += match[0].length
    const least = Number(match[1])
    return { least, most: match[2] === undefined ? least : match[3] === '' ? null : Number(match[3]) }
  }
  if (char !== '*' && char !== '+' && char !== '?') return null
  reader.at++
  return { least: char === '+' ? 1 : 0, most: char === '?' ? 1 : null }
}

function readAtom(reader: Reader): PatternNode {
  const { source } = reader
  switch (source[reader.at]) {
    case '(':
      return readGroup(reader)
    case '^':
      reader.at++
      return { kind: 'edge', edge: 'start' }
    case '$':
      reader.at++
      return { kind: 'edge', edge: 'end' }
    case '[':
      return characterOf(readClass(reader), reader.flags)
    case '\\':
      return readEscape(reader)
    default: {
      const char = String.fromCodePoint(source.codePointAt(reader.at)!)
      reader.at += char.length
      return char === '.' || reader.flags === 'isu' ? characterOf(char, reader.flags) : literal(char)
    }
  }
}

const CAPTURE_NAME = /\?<(?![=!])[^>]*>/y
const NO_BACK =
  'cannot be matched in linear time: references to a group and (?<= … ) are not supported. Write the pattern without them, or as a validator function'

function readGroup(reader: Reader): PatternNode {
  const { source } = reader
  reader.at++
  let ahead: boolean | null = null
  CAPTURE_NAME.lastIndex = reader.at
  const name = CAPTURE_NAME.exec(source)
  if (name !== null) reader.at += name[0].length
  else if (source[reader.at] === '?') {
    const kind = source[reader.at + 1]
    if (kind === '=' || kind === '!') ahead = kind === '='
    else if (kind !== ':') throw new Error(kind === '<' ? NO_BACK : NO_FLAGS)
    reader.at += 2
  }
  const node = readChoice(reader)
  reader.at++
  return ahead === null ? node : { kind: 'ahead', node, wanted: ahead }
}

/** Reads a class as text, including its brackets. */
function readClass(reader: Reader): string {
  const start = reader.at
  while (reader.source[reader.at] !== ']') reader.at += reader.source[reader.at] === '\\' ? 2 : 1
  reader.at++
  return reader.source.slice(start, reader.at)
}

const ESCAPE =
  /\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)/suy

function readEscape(reader: Reader): PatternNode {
  const { source } = reader
  const next = source[reader.at + 1]!
  if (next === 'b' || next === 'B') {
    reader.at += 2
    return { kind: 'edge', edge: next === 'b' ? 'word' : 'no-word' }
  }
  if (next === 'k' || (next >= '1' && next <= '9')) throw new Error(NO_BACK)
  ESCAPE.lastIndex = reader.at
  const text = ESCAPE.exec(source)![0]
  reader.at += text.length
  return characterOf(text, reader.flags)
}

function literal(char: string): PatternNode {
  const wanted = char.codePointAt(0)
  return { kind: 'character', accepts: (codePoint) => codePoint === wanted }
}

const ASCII = 128

/** Makes the test for one character. It uses the runtime's regular expressions, whose time is bounded for a single character. */
function characterOf(source: string, flags: PatternFlags): PatternNode {
  const one = new RegExp(`^${source}$`, flags)
  const ascii = Array.from({ length: ASCII }, (_, code) => one.test(String.fromCharCode(code)))
  return {
    kind: 'character',
    accepts: (codePoint) => (codePoint < ASCII ? ascii[codePoint]! : one.test(String.fromCodePoint(codePoint))),
  }
}

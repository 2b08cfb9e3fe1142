import { ExpressionFault } from './expression-fault.ts'

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'date' | 'pattern' | 'symbol' | 'end'
  /** Source text of the token. For a string or a regular expression, without the delimiters. */
  readonly text: string
  readonly at: number
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y
const DATE = /\d{4}-\d{2}-\d{2}/y
const SYMBOL = /==|!=|<=|>=|&&|\|\||[<>!+\-*/%().,[\]]/y
const SPACE = /\s*/y

/**
 * Splits the source of an expression into names, numbers, strings and operators.
 * @throws ExpressionFault for an invalid character
 */
export function readTokens(source: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0] ?? null
  }
  const add = (kind: Token['kind'], text: string, length: number): void => {
    tokens.push({ kind, text, at: at + 1 })
    at += length
  }
  for (;;) {
    at += take(SPACE)!.length
    const char = source[at]
    if (char === undefined) {
      add('end', 'the end', 0)
      return tokens
    }
    if (char === "'" || char === '"') {
      const [text, length] = readQuoted(source, at, char)
      add('text', text, length)
      continue
    }
    if (char === '/' && canBeginPattern(tokens)) {
      const [text, length] = readPattern(source, at)
      add('pattern', text, length)
      continue
    }
    const date = isInDate(tokens) ? take(DATE) : null
    const number = date === null ? take(NUMBER) : null
    const name = take(NAME)
    const symbol = take(SYMBOL)
    if (date !== null) add('date', date, date.length)
    else if (number !== null) add('number', number, number.length)
    else if (name !== null) add('name', name, name.length)
    else if (symbol !== null) add('symbol', symbol, symbol.length)
    else throw new ExpressionFault(unknownCharacter(String.fromCodePoint(source.codePointAt(at)!)), at + 1)
  }
}

function unknownCharacter(char: string): string {
  if (char === '=') return 'unexpected "=". To compare, write "=="'
  if (char === '&' || char === '|')
    return `unexpected "${char}". Write "${char}${char}", or "${char === '&' ? 'and' : 'or'}"`
  return `unexpected ${JSON.stringify(char)}`
}

/** Tests whether `/` begins a pattern. After a value it is a division. */
function canBeginPattern(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  return last?.kind === 'symbol' && (last.text === ',' || last.text === '(')
}

/** Tests for a position inside `date(2024-01-31)`, where hyphens are no subtraction. */
function isInDate(tokens: readonly Token[]): boolean {
  return tokens.at(-1)?.text === '(' && tokens.at(-2)?.kind === 'name' && tokens.at(-2)?.text === 'date'
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function readQuoted(source: string, start: number, quote: string): readonly [text: string, length: number] {
  let text = ''
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at]!
    if (char === quote) return [text, at + 1 - start]
    if (char !== '\\') {
      text += char
      continue
    }
    at++
    const next = source[at] ?? ''
    text += ESCAPED[next] ?? next
  }
  throw new ExpressionFault(`the text that begins here is not closed; its ${quote} is missing`, start + 1)
}

function readPattern(source: string, start: number): readonly [text: string, length: number] {
  let inClass = false
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return [source.slice(start + 1, at), at + 1 - start]
  }
  throw new ExpressionFault('the regular expression that begins here is not closed; its / is missing', start + 1)
}

import { Fault } from './library.ts'

export interface Token {
  /** Kind of the token. `quoted`: a string or a quoted name. `other`: one character of punctuation. */
  readonly kind: 'comment' | 'word' | 'quoted' | 'parameter' | 'semicolon' | 'other'
  readonly text: string
  readonly start: number
}

/**
 * The order matters: tokens that can contain any character come first. As in SQLite's tokenizer, a string ends at a quote that is
 * not doubled, a comment in slashes may be unterminated, and `$name` may contain `::` and parentheses.
 */
const TOKEN =
  /\s+|(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])|([:@][\p{L}\p{N}_$]+|\?\d*|\$[\p{L}\p{N}_$]+(?:::[\p{L}\p{N}_$]+)*(?:\([^\s)]*\))?)|([\p{L}\p{N}_$]+)|(;)|([\s\S])/gu

/**
 * Splits SQL into tokens. White space is dropped, comments are kept.
 * @throws Fault for an unterminated string or quoted name
 */
export function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = []
  for (const match of sql.matchAll(TOKEN)) {
    const [text, comment, quoted, parameter, word, semicolon, other] = match
    const start = match.index
    if (comment !== undefined) tokens.push({ kind: 'comment', text, start })
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text, start })
    else if (parameter !== undefined) tokens.push({ kind: 'parameter', text, start })
    else if (word !== undefined) tokens.push({ kind: 'word', text, start })
    else if (semicolon !== undefined) tokens.push({ kind: 'semicolon', text, start })
    else if (other !== undefined) {
      if (/['"`[]/.test(other))
        throw scriptFault(`${other === '[' ? 'a name in brackets' : `the quote ${other}`} has no end`, start)
      tokens.push({ kind: 'other', text, start })
    }
  }
  return tokens
}

/** Creates the error for an invalid SQL script. @param start position of the error in the script, from 0 */
export function scriptFault(message: string, start: number): Fault {
  return new Fault({ kind: 'script', result: 1, message, position: start + 1 })
}

export interface StatementText {
  readonly text: string
  /** Position of the statement in the script, from 0. */
  readonly start: number
  /** Names of the statement's parameters with their prefix, without duplicates. */
  readonly parameters: readonly string[]
  /** Words of the statement in upper case, without quoted names: `CREATE`, `TEMP`, `TRIGGER`, … */
  readonly words: readonly string[]
}

const FIRST_WORDS = 4

/** Splits a SQL script into statements. The body of a trigger, from BEGIN to END, belongs to its statement. */
export function statementsOf(sql: string): readonly StatementText[] {
  const statements: StatementText[] = []
  let tokens: Token[] = []
  for (const token of tokensOf(sql)) {
    if (token.kind === 'comment') continue
    if (token.kind !== 'semicolon') tokens.push(token)
    else if (isInTrigger(tokens)) tokens.push(token)
    else tokens = finish(tokens)
  }
  finish(tokens)
  return statements

  function finish(part: readonly Token[]): Token[] {
    const [first] = part
    const last = part.at(-1)
    if (first === undefined || last === undefined) return []
    const parameters = part.filter(({ kind }) => kind === 'parameter').map(({ text }) => text)
    statements.push({
      text: sql.slice(first.start, last.start + last.text.length),
      start: first.start,
      parameters: [...new Set(parameters)],
      words: wordsOf(part),
    })
    return []
  }
}

function wordsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.slice(0, FIRST_WORDS).map(({ kind, text }) => (kind === 'word' ? text.toUpperCase() : ''))
}

/** Is the semicolon inside a trigger? As in `sqlite3_complete`, a statement that creates a trigger ends at `; END ;`. */
function isInTrigger(tokens: readonly Token[]): boolean {
  const words = wordsOf(tokens)
  const isTrigger =
    words[0] === 'CREATE' &&
    (words[1] === 'TRIGGER' || (/^TEMP(ORARY)?$/.test(words[1] ?? '') && words[2] === 'TRIGGER'))
  if (!isTrigger) return false
  const last = tokens.at(-1)
  return !(last?.kind === 'word' && last.text.toUpperCase() === 'END' && tokens.at(-2)?.kind === 'semicolon')
}

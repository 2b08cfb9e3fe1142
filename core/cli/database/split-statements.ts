/** One statement of an SQL script, without its semicolon. */
export interface ScriptStatement {
  readonly text: string
  /** Offset of the statement's first character in the script, in characters from 0. */
  readonly offset: number
}

/**
 * Tokens in which a semicolon does not end the statement. The last three words begin and end the body of a function.
 */
const TOKEN =
  /--[^\n]*|\/\*|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|;|\b(?:BEGIN(?:\s+ATOMIC)?|CASE|END)\b/gi

/**
 * Splits an SQL script into its statements. Semicolons in strings, names, comments, dollar quotes, BEGIN ATOMIC bodies
 * and SQLite trigger bodies do not split. Statements that consist only of comments are left out.
 */
export function splitStatements(sql: string): readonly ScriptStatement[] {
  const statements: ScriptStatement[] = []
  let start = 0
  let bodies = 0
  const token = new RegExp(TOKEN)
  for (let match = token.exec(sql); match !== null; match = token.exec(sql)) {
    const [text] = match
    const word = text.toUpperCase()
    if (text === '/*') token.lastIndex = endOfComment(sql, token.lastIndex)
    else if (text.startsWith('$')) token.lastIndex = endOfQuote(sql, token.lastIndex, text)
    else if (opensBody(word, sql.slice(start, match.index)) || (word === 'CASE' && bodies > 0)) bodies++
    else if (word === 'END' && bodies > 0) bodies--
    else if (text === ';' && bodies === 0) {
      add(statements, sql, start, match.index)
      start = token.lastIndex
    }
  }
  add(statements, sql, start, sql.length)
  return statements
}

const TRIGGER = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*CREATE\s+(?:TEMP(?:ORARY)?\s+)?TRIGGER\b/i

/** Does a word begin a body? @param before the statement up to the word */
function opensBody(word: string, before: string): boolean {
  return word.startsWith('BEGIN') && (word !== 'BEGIN' || TRIGGER.test(before))
}

function endOfComment(sql: string, from: number): number {
  const edge = /\/\*|\*\//g
  edge.lastIndex = from
  let depth = 1
  for (let match = edge.exec(sql); match !== null; match = edge.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  return sql.length
}

function endOfQuote(sql: string, from: number, tag: string): number {
  const end = sql.indexOf(tag, from)
  return end === -1 ? sql.length : end + tag.length
}

function add(statements: ScriptStatement[], sql: string, start: number, end: number): void {
  const raw = sql.slice(start, end)
  // Leading comments have no effect on the database.
  const lead = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.exec(raw)![0].length
  const text = raw.slice(lead).trimEnd()
  if (text !== '') statements.push({ text, offset: start + lead })
}

import type { ScriptStatement } from './split-statements.ts'

/**
 * Tokens in which the delimiter does not end the statement, lines that change the delimiter, and words that begin and
 * end the bodies of routines. The ends of IF and loops are tokens of their own, because their beginnings are not
 * counted.
 */
const TOKEN =
  /--(?=\s)[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`|^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*$|\bEND\s+(?:IF|LOOP|REPEAT|WHILE|FOR)\b|\bEND\s+CASE\b|\b(?:BEGIN|CASE|END)\b|;/gim

/** Statements with a body, in which semicolons end inner statements. */
const WITH_BODY =
  /^(?:\s|--\s[^\n]*\n|#[^\n]*\n|\/\*[\s\S]*?\*\/)*CREATE\s+(?:OR\s+REPLACE\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:AGGREGATE\s+)?(?:PROCEDURE|FUNCTION|TRIGGER|EVENT)\b/i

/**
 * Splits an SQL script for MariaDB and MySQL into its statements, as the command-line client does: `DELIMITER` lines
 * change what ends a statement. The bodies of routines and triggers need no other delimiter. Statements that consist
 * only of comments are left out.
 */
export function splitMysqlStatements(sql: string): readonly ScriptStatement[] {
  const statements: ScriptStatement[] = []
  let delimiter = ';'
  let start = 0
  let depth = 0
  const end = (at: number, next: number): void => {
    add(statements, sql, start, at)
    start = next
    depth = 0
  }
  const token = new RegExp(TOKEN)
  for (let found = nextOf(token, sql, delimiter); found !== null; found = nextOf(token, sql, delimiter)) {
    const { text, index } = found
    if (found.delimiter !== undefined) {
      end(index, index + text.length)
      delimiter = found.delimiter
    } else if (text === delimiter) {
      if (depth === 0 || delimiter !== ';') end(index, index + text.length)
    } else if (delimiter === ';') {
      const word = text.toUpperCase()
      if (word === 'BEGIN' || word === 'CASE') depth += depth > 0 || WITH_BODY.test(sql.slice(start, index)) ? 1 : 0
      else if (depth > 0 && /^END(?:\s+CASE)?$/.test(word)) depth--
    }
  }
  end(sql.length, sql.length)
  return statements
}

interface Found {
  readonly text: string
  readonly index: number
  /** The new delimiter, if the token is a `DELIMITER` line. */
  readonly delimiter?: string | undefined
}

/** The next token, or the delimiter if it comes before. */
function nextOf(token: RegExp, sql: string, delimiter: string): Found | null {
  const from = token.lastIndex
  const match = token.exec(sql)
  const at = delimiter === ';' ? -1 : sql.indexOf(delimiter, from)
  if (at >= 0 && (match === null || at < match.index)) {
    token.lastIndex = at + delimiter.length
    return { text: delimiter, index: at }
  }
  return match === null ? null : { text: match[0], index: match.index, delimiter: match[1] }
}

function add(statements: ScriptStatement[], sql: string, start: number, end: number): void {
  const raw = sql.slice(start, end)
  // Leading comments have no effect on the database.
  const lead = /^(?:\s+|--\s[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*(?!!)[\s\S]*?\*\/)*/.exec(raw)![0].length
  const text = raw.slice(lead).trimEnd()
  if (text !== '') statements.push({ text, offset: start + lead })
}

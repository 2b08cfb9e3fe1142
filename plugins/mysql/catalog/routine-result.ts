import type { CatalogFunction } from '../../../core/doors/driver.ts'
import { isWord, nameOf, splitTokens, type Token, tokensOf } from '../../../core/doors/driver.ts'
import { canonicalType } from './column-type.ts'

type Returns = CatalogFunction['returns']

/** Type of a column whose type nothing declares. It fits every type of the schema. */
const UNKNOWN = 'unknown'
const VOID: Returns = { set: false, kind: 'void', type: 'void', columns: [] }
/** Rows whose columns are not known in advance. */
const OPEN: Returns = { set: false, kind: 'composite', type: 'record', columns: [] }
const DECLARED = /(?:^|[\n;.])\s*(?:--\s*)?returns\s+(set\s+of\s+)?([A-Za-z][\w ]*?(?:\([\d, ]*\))?)\s*(?=$|[\n;.])/i
const TYPES =
  /^(?:void|record|json|uuid|bool(?:ean)?|(?:var)?char|(?:tiny|medium|long)?text|(?:tiny|small|medium|big)?int|integer|year|decimal|numeric|float|double|real|date|time|datetime|timestamp)(?:\s*\(|\s+unsigned|$)/
/** After these words, and at their place, a statement begins. */
const STARTERS = ['THEN', 'ELSE', 'DO', ';']
/** The same at the beginning of a statement, where they are no functions. */
const BLOCKS = ['BEGIN', 'LOOP', 'REPEAT']

/**
 * Returns the result that the comment of a routine declares, in the words of a SQLite script: `returns uuid`,
 * `returns set of json`, `returns void`. `null`: it declares none.
 */
export function declaredResult(comment: string): Returns | null {
  const [, set, declared] = DECLARED.exec(comment) ?? []
  const type = declared?.toLowerCase() ?? ''
  // Any other word belongs to a sentence: `Returns the rows.`
  if (!TYPES.test(type)) return null
  if (type === 'void') return VOID
  if (type === 'record') return { ...OPEN, set: set !== undefined }
  return { set: set !== undefined, kind: 'scalar', type: typeNamed(type), columns: [] }
}

function typeNamed(text: string): string {
  if (/^bool(?:ean)?$/.test(text)) return 'bool'
  return canonicalType({ dataType: text.replace(/[\s(].*$/, ''), columnType: text, enumName: '' })
}

/**
 * Derives the columns of a procedure's result from its body: those of its SELECTs without INTO, and of RETURNING.
 * @param body `null`: the user may not read it
 */
export function resultOfBody(body: string | null): Returns {
  if (body === null) return OPEN
  // A backslash may escape a quote; the content of texts does not matter.
  const tokens = tokensOf(body.replace(/'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"/gs, "''").replace(/#[^\n]*/g, ''))
  if (tokens === null) return OPEN
  const lists = selectLists(tokens)
  if (lists.length === 0) return VOID
  const [first] = lists
  if (first === undefined || lists.some((list) => list === null || String(list) !== String(first))) return OPEN
  return first!.length === 1
    ? { set: false, kind: 'scalar', type: UNKNOWN, columns: [] }
    : { ...OPEN, columns: first!.map((name) => ({ name, type: UNKNOWN })) }
}

/** Names of the columns of each statement with a result; `null`: not known. */
function selectLists(tokens: readonly Token[]): readonly (readonly string[] | null)[] {
  const lists: (readonly string[] | null)[] = []
  for (const statement of statementsOf(tokens)) {
    const [head] = statement
    if (isWord(head, 'WITH')) {
      const select = statement.findIndex((token) => isWord(token, 'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'REPLACE'))
      if (isWord(statement[select], 'SELECT')) lists.push(namesOf(statement.slice(select)))
      continue
    }
    if (isWord(head, 'SELECT')) {
      if (!statement.some((token) => isWord(token, 'INTO'))) lists.push(namesOf(statement))
    } else if (isWord(head, 'INSERT', 'REPLACE', 'DELETE')) {
      const at = statement.findIndex((token) => isWord(token, 'RETURNING'))
      if (at > 0) lists.push(namesOf(statement.slice(at)))
    } else if (isWord(head, 'CALL', 'EXECUTE')) lists.push(null)
  }
  return lists
}

/** The statements of a body, also those within IF, CASE, loops and blocks. */
function statementsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const statements: Token[][] = []
  let open: Token[] = []
  for (const token of tokens) {
    const isStart = open.length === 0 || open.at(-1) === ':'
    if ((isStart && isWord(token, ...BLOCKS)) || (isWord(token, ...STARTERS) && !inExpression(open))) {
      statements.push(open)
      open = []
    } else open.push(token)
  }
  return [...statements, open]
}

/** THEN and ELSE of a CASE expression are no ends of a statement. */
function inExpression(statement: readonly Token[]): boolean {
  if (!isWord(statement[0], 'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'SET', 'RETURN', 'WITH')) return false
  const count = (word: string): number => statement.filter((token) => isWord(token, word)).length
  return count('CASE') > count('END')
}

function namesOf([, ...rest]: readonly Token[]): readonly string[] | null {
  const end = rest.findIndex((token) => isWord(token, 'FROM', 'UNION', 'LIMIT', 'WHERE', 'ORDER'))
  const parts = splitTokens(end < 0 ? rest : rest.slice(0, end), (token) => token === ',')
  const names = parts.map((part) => {
    const last = part.at(-1)
    if (typeof last !== 'string' || last === '*' || !/^["`[\p{L}_]/u.test(last)) return null
    return nameOf(last)
  })
  return names.includes(null) ? null : (names as string[])
}

/** Assignments to user variables, and to settings by their keyword. */
const ASSIGNS =
  /\bSET\s+(?:@|GLOBAL\b|SESSION\b|LOCAL\b|PERSIST\b|NAMES\b|STATEMENT\b|ROLE\b|CHARACTER\b)|\bINTO\s+@|@[^\s=:]+\s*:=|,\s*@+[^\s=,)]+\s*=/i

/**
 * Tests whether a routine may change settings or user variables of the session.
 * @param body `null`: the user may not read it
 * @param parameters names of its parameters
 */
export function mayChangeSession(body: string | null, parameters: readonly string[]): boolean {
  if (body === null || ASSIGNS.test(body)) return true
  const declared = [...body.matchAll(/\bDECLARE\s+([^;]*?)\s+[A-Za-z]+/gi)].flatMap(([, names]) =>
    names!.split(',').map((name) => name.trim().split(/\s+/)[0]!),
  )
  const known = new Set([...declared, ...parameters].map((name) => name.replaceAll('`', '').toLowerCase()))
  return [...body.matchAll(/\bSET\s+([`\w]+)\s*:?=/gi)].some(
    ([, name]) => !known.has(name!.replaceAll('`', '').toLowerCase()),
  )
}

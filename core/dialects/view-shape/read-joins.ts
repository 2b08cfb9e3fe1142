import { isName, isWord, nameOf, splitTokens, type Token } from './tokens.ts'

/** Two columns that the condition of a join in a view compares with `=`. */
export interface Equality {
  readonly left: ColumnReference
  readonly right: ColumnReference
}

interface ColumnReference {
  readonly of: string
  readonly name: string
}

/** One relation or subquery in the FROM clause of a view's definition. */
export interface ViewJoin {
  /** Name of the relation as it is in the definition, with quotes and schema; `null`: a subquery. */
  readonly relation: string | null
  readonly alias: string
  /** `true` for the right side of a LEFT JOIN: without a matching row, its columns are NULL. */
  readonly optional: boolean
  /** Pairs of columns that the condition of the join compares with `=`. */
  readonly on: readonly Equality[]
  /** `true` for a subquery that returns at most one row. */
  readonly single: boolean
}

const JOIN_WORDS = ['JOIN', 'INNER', 'LEFT', 'CROSS']
const OTHER_JOINS = ['RIGHT', 'FULL', 'NATURAL', 'USING', 'OUTER']
const AGGREGATES =
  /^(?:count|sum|avg|min|max|json_agg|jsonb_agg|json_object_agg|jsonb_object_agg|array_agg|string_agg|bool_and|bool_or|every|group_concat|json_group_array|json_group_object|total)$/i

/**
 * Parses the relations and joins in the FROM clause of a view. @param tokens the tokens after `FROM`
 * @returns `null`: a join is neither inner, left nor cross, or has other syntax that is not supported
 */
export function readJoins(tokens: readonly Token[]): readonly ViewJoin[] | null {
  const [first] = tokens
  let at = 0
  const joins: ViewJoin[] = []
  if (Array.isArray(first) && !isWord(first[0], 'SELECT', 'VALUES', 'WITH')) {
    const inner = readJoins(first)
    if (inner === null) return null
    joins.push(...inner)
    at = 1
  }
  while (at < tokens.length || joins.length === 0) {
    const read = readJoin(tokens, at, joins.length === 0)
    if (read === null) return null
    joins.push(read.join)
    at = read.end
  }
  return new Set(joins.map(({ alias }) => alias)).size === joins.length ? joins : null
}

function readJoin(
  tokens: readonly Token[],
  start: number,
  isFirst: boolean,
): { readonly join: ViewJoin; readonly end: number } | null {
  let at = start
  const optional = isWord(tokens[at], 'LEFT')
  if (!isFirst) {
    if (isWord(tokens[at], 'LEFT', 'INNER', 'CROSS')) at += 1
    if (optional && isWord(tokens[at], 'OUTER')) at += 1
    if (!isWord(tokens[at], 'JOIN')) return null
    at += 1
  }
  if (isWord(tokens[at], 'LATERAL', 'ONLY')) at += 1
  const operand = readOperand(tokens, at)
  if (operand === null) return null
  at = operand.end
  let on: readonly Equality[] = []
  if (isWord(tokens[at], 'ON')) {
    const end = endOfCondition(tokens, at + 1)
    on = equalitiesOf(tokens.slice(at + 1, end))
    at = end
  }
  if (isWord(tokens[at], ...OTHER_JOINS)) return null
  return { join: { ...operand.of, optional: optional && !isFirst, on }, end: at }
}

function readOperand(
  tokens: readonly Token[],
  start: number,
): { readonly of: Pick<ViewJoin, 'relation' | 'alias' | 'single'>; readonly end: number } | null {
  const [first] = tokens.slice(start)
  let at = start + 1
  let relation: string | null = null
  let alias: string | null = null
  if (isName(first)) {
    relation = first
    alias = nameOf(first)
    if (tokens[at] === '.') {
      const name = tokens[at + 1]
      if (!isName(name)) return null
      relation += `.${name}`
      alias = nameOf(name)
      at += 2
    }
  } else if (!Array.isArray(first) || !isWord(first[0], 'SELECT')) return null
  if (isWord(tokens[at], 'AS')) at += 1
  const next = tokens[at]
  if (isName(next) && !isWord(next, 'ON', ...JOIN_WORDS, ...OTHER_JOINS)) {
    alias = nameOf(next)
    at += 1
  }
  // Parentheses after the name are a call, or rename the columns.
  if (alias === null || Array.isArray(tokens[at])) return null
  return { of: { relation, alias, single: Array.isArray(first) && isSingle(first) }, end: at }
}

/** Returns the end of a join condition, where the next join begins. */
function endOfCondition(tokens: readonly Token[], start: number): number {
  const end = tokens.findIndex((token, index) => index >= start && isWord(token, ...JOIN_WORDS, ...OTHER_JOINS))
  return end < 0 ? tokens.length : end
}

/** Returns equalities that must all be true. */
function equalitiesOf(tokens: readonly Token[]): readonly Equality[] {
  if (tokens.some((token) => isWord(token, 'OR', 'NOT', 'CASE', 'BETWEEN'))) return []
  return splitTokens(tokens, (token) => isWord(token, 'AND')).flatMap((part) => {
    const [only] = part
    if (part.length === 1 && Array.isArray(only)) return equalitiesOf(only)
    const equal = part.indexOf('=')
    const left = referenceOf(part.slice(0, equal))
    const right = referenceOf(part.slice(equal + 1))
    return equal < 0 || left === null || right === null ? [] : [{ left, right }]
  })
}

function referenceOf(tokens: readonly Token[]): ColumnReference | null {
  const [of, dot, name] = tokens
  return tokens.length === 3 && isName(of) && dot === '.' && isName(name)
    ? { of: nameOf(of), name: nameOf(name) }
    : null
}

/** Tests for a limit of one row, or for an aggregate over all rows. */
function isSingle(tokens: readonly Token[]): boolean {
  if (tokens.some((token) => isWord(token, 'GROUP', 'UNION', 'INTERSECT', 'EXCEPT', 'OFFSET', 'OVER'))) return false
  const limit = tokens.findIndex((token) => isWord(token, 'LIMIT'))
  if (limit >= 0) return tokens[limit + 1] === '1' && tokens.length === limit + 2
  const from = tokens.findIndex((token) => isWord(token, 'FROM'))
  return from > 0 && holdsAggregate(tokens.slice(1, from))
}

/** Tests for an aggregate in the select list, without subqueries and window functions. */
function holdsAggregate(tokens: readonly Token[]): boolean {
  let found = false
  for (const [index, token] of tokens.entries()) {
    if (isWord(token, 'SELECT', 'OVER')) return false
    if (!Array.isArray(token)) continue
    const name = tokens[index - 1]
    if (typeof name === 'string' && AGGREGATES.test(name)) found = true
    else if (token.some((inner) => isWord(inner, 'SELECT', 'OVER'))) return false
    else if (holdsAggregate(token)) found = true
  }
  return found
}

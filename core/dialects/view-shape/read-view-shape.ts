import { readJoins, type ViewJoin } from './read-joins.ts'
import { isName, isWord, nameOf, splitTokens, type Token, tokensOf } from './tokens.ts'

/** A column of a view that shows a column of an underlying relation unchanged. `name` is the name in that relation. */
export interface ViewColumn {
  /** Alias of the relation in FROM; `null`: the definition does not qualify the column. */
  readonly of: string | null
  readonly name: string
  /** Name of the column in the view. */
  readonly as: string
}

/** The parsed definition of a view: its columns, and the relations that it joins. */
export interface ViewShape {
  /**
   * Columns in the order of the view. `null`: an expression. `all`: every column of the relation with that alias; with
   * `all: null`, of all relations (`*`).
   */
  readonly columns: readonly (ViewColumn | { readonly all: string | null } | null)[]
  readonly joins: readonly ViewJoin[]
}

const NOT_ONE_FOR_ONE = ['GROUP', 'HAVING', 'UNION', 'INTERSECT', 'EXCEPT', 'WITH', 'VALUES', 'TABLESAMPLE', 'WINDOW']
const AFTER_FROM = ['WHERE', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH', ';']

/**
 * Parses the definition of a view that joins relations row by row. @param text SQL of the view's query
 * @returns `null`: the query groups or combines rows (`GROUP BY`, `UNION`, `DISTINCT` …), or its syntax is not
 * supported
 */
export function readViewShape(text: string): ViewShape | null {
  const tokens = tokensOf(text)
  if (tokens === null || !isWord(tokens[0], 'SELECT') || isWord(tokens[1], 'DISTINCT', 'ALL')) return null
  if (tokens.some((token) => isWord(token, ...NOT_ONE_FOR_ONE))) return null
  const from = tokens.findIndex((token) => isWord(token, 'FROM'))
  if (from < 0) return null
  const rest = tokens.slice(from + 1)
  const end = rest.findIndex((token) => isWord(token, ...AFTER_FROM))
  const joins = readJoins(end < 0 ? rest : rest.slice(0, end))
  if (joins === null) return null
  const columns = splitTokens(tokens.slice(1, from), (token) => token === ',').map(readColumn)
  return { columns, joins }
}

function readColumn(tokens: readonly Token[]): ViewShape['columns'][number] {
  const [first, dot, second, ...rest] = tokens
  if (first === '*' && dot === undefined) return { all: null }
  if (!isName(first)) return null
  if (dot !== '.') {
    const as = readAs(tokens.slice(1))
    return as === undefined ? null : { of: null, name: nameOf(first), as: as ?? nameOf(first) }
  }
  if (second === '*') return rest.length === 0 ? { all: nameOf(first) } : null
  if (!isName(second)) return null
  const as = readAs(rest)
  return as === undefined ? null : { of: nameOf(first), name: nameOf(second), as: as ?? nameOf(second) }
}

/** @returns `null`: no alias; `undefined`: other syntax */
function readAs(tokens: readonly Token[]): string | null | undefined {
  if (tokens.length === 0) return null
  const [as, name] = tokens
  return tokens.length === 2 && isWord(as, 'AS') && isName(name) ? nameOf(name) : undefined
}

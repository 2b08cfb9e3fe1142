import { isWord, type Token, tokensOf } from '../dialects/view-shape/tokens.ts'
import type { AdviceLevel } from './advice.ts'

/**
 * A clause of a view's query, such as LIMIT, that slows filtered reads. Level `warning`: the read computes all rows of
 * the view.
 */
export interface Obstacle {
  readonly level: AdviceLevel
  readonly reason: string
}

/**
 * Finds the clauses of a view's query that PostgreSQL's planner does not push filters through, such as LIMIT and window
 * functions.
 * @param text SQL of the view's query
 */
export function readObstacles(text: string): readonly Obstacle[] {
  const tokens = tokensOf(text) ?? []
  const has = (...words: readonly string[]): boolean => tokens.some((token) => isWord(token, ...words))
  const found: Obstacle[] = []
  const add = (level: AdviceLevel, reason: string): void => void found.push({ level, reason })
  if (has('LIMIT', 'OFFSET', 'FETCH'))
    add('warning', 'LIMIT is applied before any filter, so each read computes all rows of the view')
  if (holdsWindow(tokens))
    add('warning', 'a window function is computed over all rows, unless the filter is on columns of each PARTITION BY')
  if (has('RECURSIVE')) add('warning', 'a recursive query is computed to its end before a filter applies')
  if (has('EXCEPT', 'INTERSECT')) add('warning', 'EXCEPT and INTERSECT compare all rows before a filter applies')
  if (has('GROUP'))
    add('info', 'GROUP BY: filters on anything but the grouped columns apply after all groups are computed')
  if (has('UNION') && !isUnionAll(tokens)) add('info', 'UNION removes duplicates in each read; UNION ALL does not')
  if (has('DISTINCT')) add('info', 'DISTINCT sorts or hashes the rows in each read; check whether a join repeats them')
  if (has('ORDER')) add('info', 'ORDER BY in the view sorts in each read, and queries order the rows again')
  return found
}

function isUnionAll(tokens: readonly Token[]): boolean {
  return tokens.every((token, i) => !isWord(token, 'UNION') || isWord(tokens[i + 1], 'ALL'))
}

/** Also in the arguments of functions, but not in subqueries, which have rows of their own. */
function holdsWindow(tokens: readonly Token[]): boolean {
  return tokens.some((token, i) => {
    if (isWord(token, 'OVER')) return i > 0
    return typeof token !== 'string' && !isWord(token[0], 'SELECT', 'WITH', 'VALUES') && holdsWindow(token)
  })
}

import { isWord, splitTokens, tokensOf } from './tokens.ts'

/** Functions whose result is JSON for any arguments. */
const MAKERS =
  /^json(?:b)?_(?:object|array|arrayagg|objectagg|merge|merge_patch|merge_preserve|set|insert|replace|remove|array_append|array_insert|compact|loose|detailed|normalize)$/i

/**
 * Finds the columns of a view whose expression is a call of a JSON function, because some databases give them the type
 * text.
 * @param query SQL of the view's query
 * @returns a flag per column; empty if their positions are unknown (`*`, `UNION`)
 */
export function jsonColumns(query: string): readonly boolean[] {
  const tokens = tokensOf(query)
  if (tokens === null || !isWord(tokens[0], 'SELECT')) return []
  if (tokens.some((token) => isWord(token, 'UNION', 'INTERSECT', 'EXCEPT'))) return []
  const from = tokens.findIndex((token) => isWord(token, 'FROM'))
  const parts = splitTokens(tokens.slice(1, from < 0 ? tokens.length : from), (token) => token === ',')
  if (parts.some((part) => part.at(-1) === '*')) return []
  return parts.map(([name, list, as, , ...rest]) => {
    if (typeof name !== 'string' || !MAKERS.test(name) || !Array.isArray(list)) return false
    return rest.length === 0 && (as === undefined || isWord(as, 'AS'))
  })
}

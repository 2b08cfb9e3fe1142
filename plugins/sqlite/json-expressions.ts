import { type Token, tokensOf } from './child/tokens.ts'

/** Functions whose result is JSON, whatever they are given. */
const MAKERS = /^json(?:_(?:object|array|group_object|group_array|patch|set|insert|replace|remove))?$/i
const COMPOUND = /^(?:UNION|INTERSECT|EXCEPT)$/i

/**
 * Which columns of a view are JSON by their expression? The view itself gives them no type.
 * @param sql `CREATE VIEW …`
 * @returns by position; empty where the positions are not known
 */
export function jsonExpressions(sql: string): readonly boolean[] {
  const tokens = tokensOf(sql).filter(({ kind }) => kind !== 'comment')
  const depths = depthsOf(tokens)
  const isWord = (index: number, word: RegExp): boolean =>
    depths[index] === 0 && tokens[index]!.kind === 'word' && word.test(tokens[index]!.text)
  const select = tokens.findIndex((_, index) => isWord(index, /^SELECT$/i))
  if (select < 0 || tokens.some((_, index) => isWord(index, COMPOUND))) return []
  const from = tokens.findIndex((_, index) => index > select && isWord(index, /^FROM$/i))
  const end = from < 0 ? tokens.length : from
  const starts = [select + 1]
  for (let index = select + 1; index < end; index++) {
    if (depths[index] === 0 && tokens[index]!.text === ',') starts.push(index + 1)
  }
  const parts = starts.map((start, i) => tokens.slice(start, starts[i + 1] === undefined ? end : starts[i + 1]! - 1))
  // A star is as many columns as its relation has.
  return parts.some((part) => part.at(-1)?.text === '*') ? [] : parts.map(isJson)
}

/** `json_object(…)`, with or without a name behind it. */
function isJson(part: readonly Token[]): boolean {
  const [name, open] = part
  if (name?.kind !== 'word' || !MAKERS.test(name.text) || open?.text !== '(') return false
  const close = depthsOf(part).findIndex((depth, index) => index > 1 && depth === 0)
  const [as, ...rest] = part.slice(close + 1)
  if (close < 0 || as === undefined) return close >= 0
  return /^AS$/i.test(as.text) ? rest.length === 1 : rest.length === 0 && (as.kind === 'word' || as.kind === 'quoted')
}

/** How many parentheses stand around each token; those themselves count as what is outside. */
function depthsOf(tokens: readonly Token[]): readonly number[] {
  let depth = 0
  return tokens.map(({ kind, text }) => {
    if (kind === 'other' && text === ')') depth--
    const own = depth
    if (kind === 'other' && text === '(') depth++
    return own
  })
}

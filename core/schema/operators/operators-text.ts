import { defineOperators, type OperatorEntry } from './operator.ts'
import { convertRegex } from './regex-guard.ts'
import { convertSearchQuery, convertSearchText } from './search-text.ts'

/** Escapes the wildcards of SQL's LIKE in a text from a client, so that they match literally. */
export function escapeLike(value: unknown): string {
  return String(value).replace(/[\\%_]/g, '\\$&')
}

function text(
  name: string,
  description: string,
  convert?: (value: unknown) => unknown,
  aliases: readonly string[] = [],
): OperatorEntry {
  return {
    name,
    aliases,
    groups: ['string'],
    operand: 'string',
    description,
    ...(convert === undefined ? {} : { convert }),
  }
}

const within = (value: unknown): string => `%${escapeLike(value)}%`
const prefix = (value: unknown): string => `${escapeLike(value)}%`
const suffix = (value: unknown): string => `%${escapeLike(value)}`

/** Filter operators for texts: substrings, patterns, regular expressions, and full-text search. */
export const TEXT_OPERATORS = defineOperators([
  text('_contains', 'Contains this text, taken literally.', within),
  text('_icontains', 'Contains this text in any case, taken literally.', within),
  text('_startswith', 'Starts with this text, taken literally.', prefix),
  text('_istartswith', 'Starts with this text in any case, taken literally.', prefix),
  text('_endswith', 'Ends with this text, taken literally.', suffix),
  text('_iendswith', 'Ends with this text in any case, taken literally.', suffix),
  text('_like', 'Matches this LIKE pattern: % is any text, _ any character.', convertPattern),
  text('_ilike', 'Matches this LIKE pattern in any case.', convertPattern),
  text('_nlike', 'Does not match this LIKE pattern.', convertPattern),
  text('_nilike', 'Does not match this LIKE pattern in any case.', convertPattern),
  text('_regex', 'Matches this regular expression (POSIX).', convertRegex),
  text('_iregex', 'Matches this regular expression in any case.', convertRegex, ['imatches']),
  text('_nregex', 'Does not match this regular expression.', convertRegex, ['notmatches']),
  text('_niregex', 'Does not match this regular expression in any case.', convertRegex, ['notimatches']),
  text('_matches', "Matches this full-text query in the database's query syntax: `cat & !dog`.", convertSearchQuery, [
    'search',
  ]),
  text('_plain_query', 'Contains all words of this text (full-text search).', convertSearchText, ['plaintotsquery']),
  text('_phrase_query', 'Contains the words of this text one after the other (full-text search).', convertSearchText, [
    'phrasetotsquery',
  ]),
  text(
    '_websearch_query',
    'Matches this query written as for a search engine: `"exact words" -without or other`.',
    convertSearchText,
    ['websearchtotsquery'],
  ),
])

/** Rejects a pattern that ends in a single backslash, which would be an error of the database. */
function convertPattern(value: unknown): string {
  const pattern = String(value)
  const trailing = /\\*$/.exec(pattern)?.[0].length ?? 0
  if (trailing % 2 === 1) throw new Error('the pattern ends with a lone backslash; write \\\\ for a backslash')
  return pattern
}

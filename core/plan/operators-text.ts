import { type SqlFragment, sql } from '../sql/fragment.ts'
import { defineOperators, type OperatorEntry } from './operator.ts'
import { convertRegex } from './regex-guard.ts'

type Emit = (text: SqlFragment, operand: SqlFragment) => SqlFragment

/** The text with the wildcards of LIKE made literal. */
export function escapeLike(value: unknown): string {
  return String(value).replace(/[\\%_]/g, '\\$&')
}

function text(
  name: string,
  description: string,
  emit: Emit,
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
    postgres: (target, operand) => emit(target.text, operand.sql),
  }
}

const like: Emit = (value, operand) => sql`${value} LIKE ${operand}`
const ilike: Emit = (value, operand) => sql`${value} ILIKE ${operand}`
const within = (value: unknown): string => `%${escapeLike(value)}%`
const prefix = (value: unknown): string => `${escapeLike(value)}%`
const suffix = (value: unknown): string => `%${escapeLike(value)}`

/** Substrings, patterns, regular expressions, full text. */
export const TEXT_OPERATORS = defineOperators([
  text('_contains', 'Contains this text, taken literally.', like, within),
  text('_icontains', 'Contains this text in any case, taken literally.', ilike, within),
  text('_startswith', 'Starts with this text, taken literally.', like, prefix),
  text('_istartswith', 'Starts with this text in any case, taken literally.', ilike, prefix),
  text('_endswith', 'Ends with this text, taken literally.', like, suffix),
  text('_iendswith', 'Ends with this text in any case, taken literally.', ilike, suffix),
  text('_like', 'Matches this LIKE pattern: % is any text, _ any character.', like, convertPattern),
  text('_ilike', 'Matches this LIKE pattern in any case.', ilike, convertPattern),
  text('_nlike', 'Does not match this LIKE pattern.', (v, o) => sql`${v} NOT LIKE ${o}`, convertPattern),
  text('_nilike', 'Does not match this LIKE pattern in any case.', (v, o) => sql`${v} NOT ILIKE ${o}`, convertPattern),
  text('_regex', 'Matches this regular expression (POSIX).', (v, o) => sql`${v} ~ ${o}`, convertRegex),
  text('_iregex', 'Matches this regular expression in any case.', (v, o) => sql`${v} ~* ${o}`, convertRegex, [
    'imatches',
  ]),
  text('_nregex', 'Does not match this regular expression.', (v, o) => sql`${v} !~ ${o}`, convertRegex, ['notmatches']),
  text('_niregex', 'Does not match this regular expression in any case.', (v, o) => sql`${v} !~* ${o}`, convertRegex, [
    'notimatches',
  ]),
  text(
    '_matches',
    "Matches this full-text query in the database's query syntax: `cat & !dog`.",
    (v, o) => sql`to_tsvector(${v}) @@ to_tsquery(${o})`,
    undefined,
    ['search'],
  ),
  text(
    '_plain_query',
    'Contains all words of this text (full-text search).',
    (v, o) => sql`to_tsvector(${v}) @@ plainto_tsquery(${o})`,
    undefined,
    ['plaintotsquery'],
  ),
  text(
    '_phrase_query',
    'Contains the words of this text one after the other (full-text search).',
    (v, o) => sql`to_tsvector(${v}) @@ phraseto_tsquery(${o})`,
    undefined,
    ['phrasetotsquery'],
  ),
  text(
    '_websearch_query',
    'Matches this query written as for a search engine: `"exact words" -without or other`.',
    (v, o) => sql`to_tsvector(${v}) @@ websearch_to_tsquery(${o})`,
    undefined,
    ['websearchtotsquery'],
  ),
])

/** A pattern that ends in a lone backslash is an error of the database; say it before. */
function convertPattern(value: unknown): string {
  const pattern = String(value)
  const trailing = /\\*$/.exec(pattern)?.[0].length ?? 0
  if (trailing % 2 === 1) throw new Error('the pattern ends with a lone backslash; write \\\\ for a backslash')
  return pattern
}

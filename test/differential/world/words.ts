import type { AuthoredSchema } from '../../../core/doors/command.ts'

/** How the argument of each query is read. */
export const WORD_QUERIES = {
  plain: 'plainto_tsquery',
  phrase: 'phraseto_tsquery',
  websearch: 'websearch_to_tsquery',
} as const
export type WordQuery = keyof typeof WORD_QUERIES

const queries = Object.keys(WORD_QUERIES) as readonly WordQuery[]

/** Works by their search words, which PostgreSQL keeps in a column. */
export function withWords(schema: AuthoredSchema): AuthoredSchema {
  const more = queries.map((query) => ({
    name: `${query}_works`,
    type: '[Work!]!',
    auto_params: { total_count: true },
    arguments: [{ name: 'search', type: 'String', full_text: { column: 'words', query } }],
  }))
  return { ...schema, queries: [...(schema.queries ?? []), ...more] }
}

/** What the argument of a query searches by; `null`: it compares. */
export function wordQueryOf(query: { readonly wireName: string }, argument: string): WordQuery | null {
  if (argument !== 'search') return null
  return queries.find((name) => query.wireName === `${name}Works`) ?? null
}

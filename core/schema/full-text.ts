import type { AuthoredFullText } from './authored.ts'

/** How the text of a client is read: all of its words, the words one after the other, or as for a search engine. */
export type FullTextQuery = NonNullable<AuthoredFullText['query']>

/** The configuration of text search that a query is read with, where nothing is said. */
const CONFIG = 'english'

/** The operator that a dialect has for it, by id; no filter of a client can name it. */
export function fullTextOperator(query: FullTextQuery): string {
  return `@full_text:${query}`
}

/** How well a row matches, as a number: the greater, the better. */
export function rankOperator(query: FullTextQuery): string {
  return `@rank:${query}`
}

/** `full_text` of an argument with all its parts. */
export function readFullText(given: string | AuthoredFullText): Required<AuthoredFullText> {
  const {
    column,
    query = 'plain',
    config = CONFIG,
    rank = false,
  } = typeof given === 'string' ? { column: given } : given
  return { column, query, config, rank }
}

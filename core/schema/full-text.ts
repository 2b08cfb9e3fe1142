import type { AuthoredFullText } from './authored.ts'

/**
 * Syntax of a client's search text: rows contain all words, contain the phrase, or match the syntax of a search engine.
 */
export type FullTextQuery = NonNullable<AuthoredFullText['query']>

/** Default text search configuration for queries. */
const CONFIG = 'english'

/** Returns the id of the dialect's operator for a full-text query. Filters of clients cannot name it. */
export function fullTextOperator(query: FullTextQuery): string {
  return `@full_text:${query}`
}

/** Returns the id of the dialect's rank operator. Its value is a number: a greater one is a better match. */
export function rankOperator(query: FullTextQuery): string {
  return `@rank:${query}`
}

/** Adds the default options to `full_text` of an argument. */
export function readFullText(given: string | AuthoredFullText): Required<AuthoredFullText> {
  const {
    column,
    query = 'plain',
    config = CONFIG,
    rank = false,
  } = typeof given === 'string' ? { column: given } : given
  return { column, query, config, rank }
}

import type { AuthoredFullText } from './authored.ts'

/**
 * How the database reads a client's search text. `plain`: rows contain all words. `phrase`: rows contain the words in
 * this order. `websearch`: the syntax of web search engines.
 */
export type FullTextQuery = NonNullable<AuthoredFullText['query']>

/** Default text search configuration for queries. */
const CONFIG = 'english'

/** Returns the internal id of the dialect's SQL for a full-text condition. Client filters cannot use it. */
export function fullTextOperator(query: FullTextQuery): string {
  return `@full_text:${query}`
}

/**
 * Returns the internal id of the dialect's SQL for the relevance of a full-text match. Its value is a number; a greater
 * number is a better match.
 */
export function rankOperator(query: FullTextQuery): string {
  return `@rank:${query}`
}

/** Converts the option `full_text` of an argument to an object, and fills in the defaults. */
export function readFullText(given: string | AuthoredFullText): Required<AuthoredFullText> {
  const {
    column,
    query = 'plain',
    config = CONFIG,
    rank = false,
  } = typeof given === 'string' ? { column: given } : given
  return { column, query, config, rank }
}

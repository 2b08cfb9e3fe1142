/** Limit of a full-text query. PostgreSQL parses one in quadratic time: 1.2 MB took 52 seconds. */
const MOST_BYTES = 4000

/**
 * Checks the length of a full-text search text from a client, and returns the text.
 * @throws Error for more than 4,000 bytes
 */
export function convertSearchText(value: unknown): string {
  const text = String(value)
  if (Buffer.byteLength(text) > MOST_BYTES) throw new Error(`the full-text query is longer than ${MOST_BYTES} bytes`)
  return text
}

/**
 * Checks a search text from a client in the database's own query syntax, in which a backslash escapes the next
 * character. Returns the text.
 * @throws Error for a text longer than 4,000 bytes, or with an unescaped backslash at its end
 */
export function convertSearchQuery(value: unknown): string {
  const text = convertSearchText(value)
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) {
    throw new Error('the full-text query ends with a lone backslash; write \\\\ for a backslash')
  }
  return text
}

/** Reading a full-text query takes time by the square of its length: 1.2 MB took PostgreSQL 52 seconds. */
const MOST_BYTES = 4000

/**
 * The words that a full-text search looks for, as a client gives them.
 * @throws Error for one that is longer than 4,000 bytes
 */
export function convertSearchText(value: unknown): string {
  const text = String(value)
  if (Buffer.byteLength(text) > MOST_BYTES) throw new Error(`the full-text query is longer than ${MOST_BYTES} bytes`)
  return text
}

/**
 * Checks a text in the query syntax of the database, in which a backslash escapes the next character.
 * @throws Error also for a lone backslash at its end
 */
export function convertSearchQuery(value: unknown): string {
  const text = convertSearchText(value)
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) {
    throw new Error('the full-text query ends with a lone backslash; write \\\\ for a backslash')
  }
  return text
}

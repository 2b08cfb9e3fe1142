/** Most characters of a description. A longer comment is a document, which every client of the API would load. */
const MOST = 10_000

/**
 * Converts a database comment to the key `description` of a schema element. A long comment is truncated; an absent or
 * empty one gives an empty object.
 */
export function descriptionOf(comment: string | undefined): { readonly description?: string } {
  const text = comment?.trim() ?? ''
  if (text === '') return {}
  return {
    description:
      text.length <= MOST
        ? text
        : `${text
            .slice(0, MOST)
            .replace(/[\uD800-\uDBFF]$/, '')
            .trimEnd()} …`,
  }
}

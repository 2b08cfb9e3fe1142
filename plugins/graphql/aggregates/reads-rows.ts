const KEY = 'svc:rows'

/**
 * Marker in the `extensions` of a GraphQL field: the field reads all rows of a list, although its result is small.
 * Query limits use it to count the cost.
 */
export const READS_ROWS = Object.freeze({ [KEY]: true })

/**
 * Tests whether a field has the marker `READS_ROWS`.
 * @param extensions `extensions` of the field's GraphQL definition
 */
export function readsRows(extensions: Readonly<Record<string, unknown>>): boolean {
  return extensions[KEY] === true
}

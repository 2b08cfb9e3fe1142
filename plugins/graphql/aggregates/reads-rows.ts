const KEY = 'svc:rows'

/** Marker in the `extensions` of a field that reads all rows of a list, although its result is small. */
export const READS_ROWS = Object.freeze({ [KEY]: true })

/** Tests whether a field reads all rows of a list. @param extensions `extensions` of the field's definition */
export function readsRows(extensions: Readonly<Record<string, unknown>>): boolean {
  return extensions[KEY] === true
}

const KEY = 'svc:rows'

/** `extensions` of a field that reads all rows of a list, although its result is small. */
export const READS_ROWS = Object.freeze({ [KEY]: true })

/** @param extensions `extensions` of the definition of a field */
export function readsRows(extensions: Readonly<Record<string, unknown>>): boolean {
  return extensions[KEY] === true
}

const KEY = 'svc:rows'

/** What a field says of itself that reads all rows of a list, however few numbers it shows of them. */
export const READS_ROWS = Object.freeze({ [KEY]: true })

/** @param extensions of the definition of a field */
export function readsRows(extensions: Readonly<Record<string, unknown>>): boolean {
  return extensions[KEY] === true
}
